export { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from './api-keys.ts';
export { deleteExpiredResponses } from './idempotency-records.ts';
export { forgetLandingInstance, noteLandingInstance, readLandingFacts } from './landing-instances.ts';
export { type LeadToRecord, leadRecorder } from './record-lead.ts';
export { type ClientRegistrar, clientRegistrar, clientSchema } from './register-client.ts';
export { type ConversionRegistrar, conversionRegistrar, conversionSchema } from './register-conversion.ts';
