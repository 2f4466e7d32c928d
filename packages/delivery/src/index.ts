export { type Backlog, type BacklogPart, countWaitingFeedback, measureBacklog, waitReasons } from './backlog.ts';
export { claimParcelsOfConnections, parcelClaimer } from './claim.ts';
export type { ClaimedAdjustmentDelivery, ClaimedDelivery, ClaimedParcel, FormerSettings } from './claimed.ts';
export { closePlatformRequest, type RequestStatusEffect } from './close-request.ts';
export { type DeliveryConnection, readConnection } from './connection.ts';
export type { NewParcel } from './enqueue.ts';
export { dropWaitingDeliveries } from './drop-deliveries.ts';
export { dueFinder, type DueFinder } from './find-due.ts';
export { type AdjustingRules, heldBack, originalNotDelivered } from './held-back.ts';
export { hintGrace, sendableForMs } from './limits.ts';
export { type AttemptRecord, type NextState, nextState, postponed, skipped, type Tries } from './next-state.ts';
export { takeQuotaSlot } from './quota.ts';
export { type DuePlatformRequest, postponePlatformRequest, takeDuePlatformRequests } from './request-status.ts';
export { readDeliveryToSend } from './read-delivery.ts';
export { requeueFeedback, requeueFeedbackOfConnection, requeueWebhookDelivery } from './requeue.ts';
export { parcelSettler, type ParcelSettlement, type Settled, type SettledDeliveries } from './settle.ts';
export { type DeliveryState, deliveryStates, type Transition, transitions } from './states.ts';
export { sendTestToWebhook } from './test-webhook.ts';
export {
  saveFailedVerification,
  saveVerification,
  takeUnverifiedWebhooks,
  type UnverifiedWebhook,
} from './verify-webhooks.ts';
export { claimSuspectParcel, failCrashedDeliveries, splitSuspectParcels } from './suspects.ts';
export { pauseConnection, resumeConnection } from './switch-connection.ts';
export { tellOfChangedTarget } from './tell-webhooks.ts';
