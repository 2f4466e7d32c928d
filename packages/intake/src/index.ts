export { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from './api-keys.ts';
export type { ConversionRegistration, NewConversion } from './conversion-registration.ts';
export { deleteExpiredResponses } from './idempotency-records.ts';
export { forgetLandingInstance, leadUnnoticedMs, noteLandingInstance, readLandingFacts } from './landing-instances.ts';
export type { Answered } from './once-each.ts';
export { type LeadToRecord, leadRecorder } from './record-lead.ts';
export { type ClientRegistration, clientRegistrar, type NewClient } from './register-client.ts';
export { conversionRegistrar } from './register-conversion.ts';
