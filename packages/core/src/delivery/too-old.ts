import type { Pool } from '@leadback/db';
import { eventAgeMaxMs, eventTooOld, platformNames } from '@leadback/domain';
import { endWaiting } from './end-waiting.ts';

const ages = platformNames.map((name) => `('${name}', interval '${eventAgeMaxMs(name)} milliseconds')`).join(', ');

const endTooOld = endWaiting({
  connections: `(values ${ages}) age (platform, longest)
     join platform_connection c on c.platform = age.platform and c.state <> 'active' and c.deleted_at is null`,
  olderThan: 'age.longest',
  reason: eventTooOld,
});

/**
 * Ends a part of what waits for connections that are paused or held and is too old for their platforms by now: nobody can send it
 * any more, and the money that still waits must not include it. Returns whether there may be more.
 */
export const endTooOldDeliveries = async (pool: Pool): Promise<boolean> => (await endTooOld(pool)).hasMore;
