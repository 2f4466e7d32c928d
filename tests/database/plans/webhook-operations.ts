import type { PlatformConnection } from '@leadback/db';
import { claimParcelsOfConnections, parcelClaimer } from '@leadback/core/delivery/claim';
import { closePlatformRequest, takeDuePlatformRequests } from '@leadback/core/delivery/request-status';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { resumeConnection } from '@leadback/core/delivery/connections';
import { sendTestToWebhook } from '@leadback/core/delivery/test-webhook';
import { deliveryStates } from '@leadback/domain';
import { webhooks } from '@leadback/core/webhooks/webhooks';
import { webhookDeliveryLister } from '@leadback/core/webhooks/list-deliveries';
import { givenContacts, givenPlatformRequest, secretsKeys, type TestDatabase } from '@leadback/testing';
import { givenParcel } from '../../support/parcels.ts';
import type { Operation } from './operation.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 204, answer: null, durationMs: 1 } as const;
const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt } as const;
const ofAll = { pauseMs: null, isOfAll: true, refusal: null, note: null, isConfirmed: false } as const;
const effect = { ...ofAll, reason: 'x', state: 'failed' } as const;

const checkUrl = () => Promise.resolve(undefined);

/** What is told to webhooks of the account of a connection, and how that reaches them. */
export const webhookOperations = (
  database: TestDatabase,
  connection: PlatformConnection,
  told: readonly PlatformConnection[],
): readonly Operation[] => [
  {
    name: 'settle with webhooks, claim and settle webhooks',
    rowsMax: 1_000,
    async run(on) {
      const settle = parcelSettler(on.pool);
      const given = await Promise.all([1, 2].map(() => givenParcel(database, { connection, size: 50 })));
      const parcels = await Promise.all(given.map(({ id }) => parcelClaimer(on.pool, givenContacts())(id)));
      const wanted = told.map(({ id }) => ({ connectionId: id, deliveries: 200, dueSince: '-infinity' }) as const);
      for (const parcel of [...parcels, ...(await claimParcelsOfConnections(on.pool, wanted, givenContacts()))]) {
        if (parcel === null) continue;
        const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
        await settle({ parcel, deliveries: [{ ...delivered, deliveryIds }] });
      }
    },
  },
  {
    name: 'tell webhooks of a request status, of a resumption, and a test',
    rowsMax: 200,
    async run(on) {
      await givenPlatformRequest(database.em(), { connection, deliveries: 3 });
      for (const due of await takeDuePlatformRequests(on.pool, 20)) {
        await closePlatformRequest(on.pool, due, { verdict: {}, effect });
      }
      await database.pool.query(`update platform_connection set state = 'needs_attention' where id = $1`, [
        connection.id,
      ]);
      await resumeConnection(on.em(), connection.id);
      for (const { id, account } of told) await sendTestToWebhook(on.em(), { id, accountId: account.id });
      await database.pool.query(
        `with gone as (delete from delivery_due where connection_id = any($1) returning delivery_ids)
         update delivery set state = 'failed', closed_at = now(), parcel_id = null
         where id in (select unnest(delivery_ids) from gone)`,
        [told.map(({ id }) => id)],
      );
    },
  },
  {
    name: 'manage webhooks, read their log, and send deliveries again',
    rowsMax: 1_000,
    async run(on) {
      const all = webhooks(on.pool, { em: () => on.em(), secretsKeys, checkUrl });
      const log = webhookDeliveryLister(on.pool, { readMax: 500 });
      const mode = { accountId: connection.account.id, isTest: false, actor: 'test' };
      const { id } = await all.create(mode, { url: 'https://shop.example/plans', events: ['delivery.failed'] }, '');
      await all.list(mode);
      await all.find(mode.accountId, id);
      await all.change(mode, id, { url: 'https://shop.example/changed', state: 'active' }, '');
      await all.rotateSecret(mode, id);
      const deliveryId = await all.test(mode, id);
      for (const filled of told) {
        const owner = { accountId: filled.account.id, isTest: false };
        const page = await log(owner, { id: filled.id, limit: 50 });
        for (const state of deliveryStates)
          await log(owner, { id: filled.id, state, after: page?.next ?? undefined, limit: 50 });
      }
      await database.pool.query(
        `with gone as (delete from delivery_due where connection_id = $1)
         update delivery set state = 'delivered', closed_at = now(), parcel_id = null where id = $2`,
        [id, deliveryId],
      );
      await all.retry(mode, { id, deliveryId });
      await all.delete(mode, id);
    },
  },
];
