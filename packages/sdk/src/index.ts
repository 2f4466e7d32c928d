export type * from './api-types.ts';
export {
  type AdjustmentResult,
  type BatchOptions,
  type CallOptions,
  type ClientResult,
  type RegisterOptions,
  Leadback,
  type LeadResult,
  type VisitorOptions,
  type ConversionResult,
  type LeadbackOptions,
} from './leadback.ts';
export type * from './api-types.ts';
export { looksLikeLeadReference, LeadbackError, type LeadbackErrorCode } from './leadback-error.ts';
export { clickParameterNames, leadOfRequest, type VisitorRequest } from './visitor-request.ts';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.ts';
