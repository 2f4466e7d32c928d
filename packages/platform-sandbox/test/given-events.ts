import { nowMs } from './serve-sandbox.ts';

export const hash = '509e933019bb285a134a9334b8bb679dff79d0ce023d529af4bd744d47b4fd8a';

/** A click id of which the sandbox knows the time. */
export const clickAt = (timeMs: number): string => `${timeMs.toString(16).padStart(12, '0')}70008000012345678901`;

/** A valid event for Google. */
export const googleEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  transactionId: '1',
  eventTimestamp: '2026-11-21T11:59:59.567Z',
  eventSource: 'WEB',
  conversionValue: 100.2,
  currency: 'USD',
  adIdentifiers: { gclid: 'CjwK' },
  userData: { userIdentifiers: [{ emailAddress: hash }] },
  ...changes,
});

const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

export const destination = (changes: Readonly<Record<string, unknown>> = {}) => ({
  operatingAccount: account('1234567890'),
  loginAccount: account('9876543210'),
  productDestinationId: '848898416',
  ...changes,
});

export const googleRequest = (events: readonly unknown[], changes: Readonly<Record<string, unknown>> = {}) => ({
  destinations: [destination()],
  encoding: 'HEX',
  events,
  ...changes,
});

/** A valid element for LinkedIn. */
export const linkedinElement = (changes: Readonly<Record<string, unknown>> = {}) => ({
  conversion: 'urn:lla:llaPartnerConversion:104012',
  conversionHappenedAt: nowMs - 1000,
  conversionValue: { currencyCode: 'USD', amount: '1500.0' },
  eventId: 'abc12345',
  user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: hash }] },
  ...changes,
});

export const linkedinRequest = (...elements: readonly unknown[]) => ({ elements });

/** A valid event for Meta. */
export const metaEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  event_name: 'Purchase',
  event_time: nowMs / 1000,
  event_id: '1',
  action_source: 'system_generated',
  user_data: { em: [hash] },
  custom_data: { value: 100.2, currency: 'USD', order_id: 'order-9' },
  ...changes,
});

export const metaRequest = (...data: readonly unknown[]) => ({ data, access_token: 'EAAB' });

/** A valid conversion for Microsoft. */
export const microsoftConversion = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ConversionName: 'Sale',
  ConversionTime: new Date(nowMs - 1000).toISOString(),
  ConversionValue: 10,
  ConversionCurrencyCode: 'USD',
  MicrosoftClickId: 'f894f652ea334e739002f7167ab8f8e3',
  HashedEmailAddress: hash,
  ...changes,
});

export const microsoftRequest = (...OfflineConversions: readonly unknown[]) => ({ OfflineConversions });

/** A valid event for TikTok. */
export const tiktokEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  event: 'Purchase',
  event_time: nowMs / 1000,
  event_id: '1',
  user: { email: hash },
  properties: { value: 100.2, currency: 'USD', order_id: 'order-9' },
  ...changes,
});

export const tiktokRequest = (...data: readonly unknown[]) => ({
  event_source: 'web',
  event_source_id: 'C17TA5JC77UDOT6CA5FG',
  data,
});
