export { eventTooOld } from './event-time.ts';
export type {
  Answer,
  Finding,
  RequestStatus,
  Remedy,
  Outcome,
  Platform,
  PlatformAccess,
  PlatformEvent,
  Prepared,
  SendingMode,
} from './platform.ts';
export { platformUrlSettings, platformUrlsOf } from './platform-url-settings.ts';
export type { Quota, TakeSlot } from './quota.ts';
export { platformRegistry, platformUrlsAt } from './registry.ts';
