import type { Prepared } from './platform.ts';

/** The platform has no way to be told of an event. */
export const notSupported: Prepared = { kind: 'skipped', reason: 'not_supported' };
