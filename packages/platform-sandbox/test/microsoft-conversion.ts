import { nowMs } from './serve-sandbox.ts';

export const hash = '9df6a1ccc4b3d8b2a2c1f3f2cf0ab7ec3e19b6b5fbb3e3d0c9a3ad6b8d31c7a4';

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
