export type { Answer, Outcome, Platform, PlatformAccess, PlatformEvent, Prepared } from './platform.ts';
export { type PlatformUrls, platformRegistry, platformUrls } from './registry.ts';
