import type { PlatformConnection } from '@leadback/db';
import {
  closePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from '@leadback/core/delivery/request-status';
import { countWaitingDeliveries, measureBacklog } from '@leadback/core/delivery/due';
import { originalNotDelivered } from '@leadback/core/delivery/next-state';
import { pauseConnection, readConnection, resumeConnection } from '@leadback/core/delivery/connections';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import {
  givenAdjustment,
  givenConversion,
  givenDelivery,
  givenPlatformRequest,
  type TestDatabase,
} from '@leadback/testing';
import type { Operation } from './operation.ts';

const effect = {
  reason: 'x',
  pauseMs: 60_000,
  isOfAll: true,
  refusal: null,
  note: 'note',
  isConfirmed: false,
} as const;

/** What operators and workers do beside sending. `connection` has only what these operations make. */
export const operatorOperations = (database: TestDatabase, connection: PlatformConnection): readonly Operation[] => {
  const em = () => database.em();
  const key = { id: connection.id, accountId: connection.account.id };

  return [
    {
      name: 'requeue by ids',
      rowsMax: 100,
      async run(on) {
        const closed = [];
        for (const state of ['failed', 'skipped'] as const)
          closed.push(await givenDelivery(em(), { connection, state }));
        const conversion = await givenConversion(em(), { account: await connection.account.loadOrFail() });
        closed.push(await givenDelivery(em(), { connection, conversion, state: 'failed' }));
        const adjustment = await givenAdjustment(em(), { conversion });
        const follows = { connection, adjustment, state: 'skipped', reason: originalNotDelivered } as const;
        await givenDelivery(em(), follows);
        await requeueDeliveries(
          on.em(),
          closed.map(({ id }) => id),
        );
      },
    },
    {
      name: 'take, postpone and close a platform request',
      rowsMax: 200,
      async run(on) {
        for (const state of ['delivered', 'failed', 'pending'] as const) {
          await givenPlatformRequest(em(), { connection, deliveries: 3 });
          for (const due of await takeDuePlatformRequests(on.pool, 20)) {
            await postponePlatformRequest(on.pool, due, 0);
            await closePlatformRequest(on.pool, due, { verdict: {}, effect: { ...effect, state } });
          }
        }
      },
    },
    {
      name: 'take a quota slot, read a connection',
      rowsMax: 5,
      async run(on) {
        const quota = { name: 'quota', perMinute: 60_000, perDay: 100_000, timeZone: 'UTC', waitMaxMs: 60_000 };
        await takeQuotaSlot(on.pool, quota);
        await readConnection(on.pool, key);
      },
    },
    {
      name: 'pause and resume a connection',
      rowsMax: 1_500,
      async run(on) {
        await pauseConnection(on.em(), connection.id);
        await resumeConnection(on.em(), connection.id);
      },
    },
    {
      name: 'measure the backlog',
      // gauges are about all parcels: these are few, and in memory
      readsAllOf: ['delivery_due'],
      rowsMax: 100_000,
      async run(on) {
        await measureBacklog(on.pool);
        await countWaitingDeliveries(on.em(), key.accountId);
      },
    },
  ];
};
