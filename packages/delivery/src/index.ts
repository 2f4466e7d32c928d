export {
  type Backlog,
  type BacklogPart,
  countWaitingDeliveries,
  measureBacklog,
  waitReasons,
  dueFinder,
  type DueFinder,
} from './due.ts';
export {
  claimParcelsOfConnections,
  parcelClaimer,
  type ClaimedAdjustmentDelivery,
  type ClaimedDelivery,
  type ClaimedParcel,
  type FormerSettings,
  claimSuspectParcel,
  failCrashedDeliveries,
  splitSuspectParcels,
} from './claim.ts';
export {
  closePlatformRequest,
  type RequestStatusEffect,
  type DuePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from './request-status.ts';
export {
  keepRenewedCredentials,
  type DeliveryConnection,
  readConnection,
  dropWaitingDeliveries,
  pauseConnection,
  resumeConnection,
} from './connections.ts';
export type { NewParcel } from './enqueue.ts';
export {
  type AdjustingRules,
  heldBack,
  originalNotDelivered,
  type AttemptRecord,
  type NextState,
  nextState,
  postponed,
  skipped,
  type Tries,
} from './next-state.ts';
export { hintGrace, sendableForMs } from './limits.ts';
export { takeQuotaSlot } from './quota.ts';
export { readDeliveryToSend } from './read-delivery.ts';
export { requeueDeliveries, requeueDeliveriesOfConnection, requeueWebhookDelivery } from './requeue.ts';
export { parcelSettler, type ParcelSettlement, type Settled, type SettledDeliveries } from './settle.ts';
export { type DeliveryState, deliveryStates, type Transition, transitions } from './states.ts';
export {
  sendTestToWebhook,
  saveFailedVerification,
  saveVerification,
  takeUnverifiedWebhooks,
  type UnverifiedWebhook,
} from './test-webhook.ts';
export { tellOfChangedTarget } from './tell-webhooks.ts';
