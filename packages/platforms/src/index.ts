export type { Remedy } from './codes.ts';
export type { ConnectionField } from './connection-field.ts';
export { definePlatform, type Platform, type PlatformDescriptor } from './define-platform.ts';
export { maskedEvent } from './masked-event.ts';
export { eventNamesSchema } from './named-settings.ts';
export type {
  Answer,
  Finding,
  RequestStatus,
  PlatformAccess,
  PlatformEvent,
  Prepared,
  SendingMode,
} from './platform.ts';
export { platformUrl } from './platform-setting.ts';
export { platformSettings } from './platform-settings.ts';
export type { Quota, TakeSlot } from './quota.ts';
export { type TakenName, takenName } from './taken-name.ts';
export type { Destination } from './webhook/index.ts';
export { type Platforms, platformList, platformRegistry } from './registry.ts';
