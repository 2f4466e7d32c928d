import type { Prepared } from './platform.ts';

/** The platform has no way to be told of an event. */
export const notSupported: Prepared = { kind: 'skipped', reason: 'not_supported' };

/** The event for adjustments has the name of another event, which the platform counts as a sale or a lead. */
export const nameTaken: Prepared = { kind: 'skipped', reason: 'refund_event_taken' };

/** The connection has no name for Lead events. */
export const noLeadEvent: Prepared = { kind: 'skipped', reason: 'no_lead_event' };
