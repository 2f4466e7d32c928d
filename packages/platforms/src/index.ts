export type { Remedy } from './failures.ts';
export {
  type ApiVersion,
  type ConnectionField,
  definePlatform,
  type Platform,
  type PlatformDescriptor,
  eventNamesSchema,
  type Answer,
  type Finding,
  type RequestStatus,
  type PlatformAccess,
  type PlatformEvent,
  type Prepared,
  type SendingMode,
  type StoredCredentials,
  platformUrl,
  type TakenName,
  takenName,
} from './definition.ts';
export { maskedEvent } from './masked-event.ts';
export { platformSettings, type Platforms, platformList, platformRegistry } from './registry.ts';
export type { Quota, TakeSlot } from './definition.ts';
export type { Destination } from './webhook/index.ts';
