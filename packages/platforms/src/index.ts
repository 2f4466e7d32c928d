export type { PlatformResponse, Remedy, Words } from './exchange.ts';
export {
  type ApiVersion,
  choicesOf,
  type ConnectionField,
  definePlatform,
  isEnding,
  versionWarnDays,
  type Platform,
  type PlatformDescriptor,
  eventNamesSchema,
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
  type Quota,
  type TakeSlot,
} from './definition.ts';
export { exampleAnswer, type ExampleAnswer, isSameAnswer } from './examples.ts';
export { maskedEvent } from './masked-event.ts';
export { platformSettings, type Platforms, platformList, platformRegistry } from './registry.ts';
export type { Destination } from './webhook/index.ts';
