import { nowMs } from './serve-sandbox.ts';

export const hash = '9df6a1ccc4b3d8b2a2c1f3f2cf0ab7ec3e19b6b5fbb3e3d0c9a3ad6b8d31c7a4';

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
