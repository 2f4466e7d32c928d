export type {
  Answer,
  Finding,
  LaterVerdict,
  Outcome,
  Platform,
  PlatformAccess,
  PlatformEvent,
  Prepared,
  SendingMode,
} from './platform.ts';
export type { Quota, TakeTurn } from './quota.ts';
export { type PlatformUrls, platformRegistry, platformUrls, platformUrlsAt } from './registry.ts';
