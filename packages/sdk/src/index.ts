export type * from './api-types.ts';
export type { BatchOptions, CallOptions, RegisterOptions } from './call-options.ts';
export type * from './api-types.ts';
export { looksLikeLeadReference } from './lead-reference.ts';
export { Leadback } from './leadback.ts';
export { LeadbackError, type LeadbackErrorCode } from './leadback-error.ts';
export type { ConversionResult } from './registered-conversion.ts';
export type { LeadbackOptions } from './settings.ts';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.ts';
