import { issueLeadReference, leadReferenceKeys, type BufferedLead } from '@leadback/secrets';
import { secretsKeys } from './secrets-key.ts';

/** Every field that the test does not give is empty. */
export const bufferedLead = (given: Partial<BufferedLead> = {}): BufferedLead => ({
  accountId: 1,
  landingPageId: 2,
  reference: issueLeadReference(leadReferenceKeys(secretsKeys)),
  clickParameters: {},
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  name: null,
  email: null,
  phone: null,
  consent: null,
  consentScope: null,
  globalPrivacyControl: false,
  visitedAt: '2026-11-21T12:00:00.000Z',
  ...given,
});
