import type { Account } from '@leadback/db';
import { accountScope } from '@leadback/core/people/access';
import { listAudit } from '@leadback/core/audit';
import { connectionLister } from '@leadback/core/connections/list-connections';
import { deliveryLister, deliveryReader } from '@leadback/core/delivery/list-deliveries';
import { lastPageChanger, pageLister } from '@leadback/core/pages/list-pages';
import {
  nextUndelivered,
  undeliveredCounter,
  undeliveredReader,
  waitingReader,
} from '@leadback/core/delivery/undelivered';
import { overviewReader } from '@leadback/core/metrics/overview';
import type { ExplainedDatabase } from '../../support/plans.ts';
import type { Operation } from './operation.ts';

const anyone = { id: 0, role: 'admin' } as const;

/** What the screens of the console read. One delivery in ten has failed, and one in ten is pending. */
export const consoleOperations = (account: Account): readonly Operation[] => {
  const scopeOn = async ({ pool }: ExplainedDatabase) => {
    const scope = await accountScope(pool, anyone, account.id);
    if (!scope) throw new Error('the account is missing');
    return scope;
  };
  const live = { isTest: false, limit: 50 };

  return [
    {
      name: 'list deliveries of the console',
      // of twenty connections: 51 of each, or what a search by state may read
      rowsMax: 5_100,
      pagesMax: 6_000,
      async run(on) {
        const [scope, list] = [await scopeOn(on), deliveryLister(on.pool)];
        for (const state of [undefined, 'pending', 'delivered', 'failed', 'skipped'] as const) {
          const { next } = await list(scope, { ...live, state });
          await list(scope, { ...live, state, after: next });
        }
        await list(scope, { ...live, platform: 'meta', state: 'failed', code: 'filler' });
        await list(scope, { ...live, platform: 'tiktok' });
        await list(scope, { ...live, conversionId: 1_010 });
        await list(scope, { ...live, isTest: true });
      },
    },
    {
      name: 'list connections with their health',
      // of twenty connections: 200 of each, and all parcels
      rowsMax: 50_000,
      async run(on) {
        const [scope, list] = [await scopeOn(on), connectionLister(on.pool)];
        const [first] = await list(scope);
        await list(scope, first?.id);
      },
    },
    {
      name: 'read one delivery of the console',
      rowsMax: 20,
      run: async (on) => deliveryReader(on.pool)(await scopeOn(on), 1_002),
    },
    {
      name: 'take the next part of a retry',
      // of twenty connections: 500 of each
      rowsMax: 10_000,
      async run(on) {
        const part = { lastId: 5_000_000, limit: 500 };
        const first = { connectionId: 0, id: 0 };
        const [after = first] = (
          await nextUndelivered(on.em(), account.id, {}, { ...part, after: first })
        ).toReversed();
        await nextUndelivered(on.em(), account.id, {}, { ...part, after });
      },
    },
    {
      name: 'sum up what an account has not delivered',
      // of twenty connections: 500 of each
      rowsMax: 10_000,
      async run(on) {
        const scope = await scopeOn(on);
        await undeliveredReader(on.pool)(scope);
        await undeliveredCounter(on.pool)(scope, { state: 'failed' });
      },
    },
    {
      name: 'sum up what is on its way',
      // all parcels of the account, of five deliveries each, and 500 deliveries of each of twenty connections
      rowsMax: 50_000,
      run: async (on) => waitingReader(on.pool)(await scopeOn(on)),
    },
    {
      name: 'list the audit log',
      // what a search for a rare actor may read, and the accounts of a page
      rowsMax: 20_200,
      async run({ pool }) {
        for (const accountId of [undefined, account.id]) {
          const filter = { accountId, limit: 50 };
          const { next } = await listAudit(pool, filter);
          await listAudit(pool, { ...filter, after: next });
          await listAudit(pool, { ...filter, from: '2020-01-01', to: '2020-02-01' });
          await listAudit(pool, { ...filter, actor: 'nobody', action: 'key.issue' });
        }
      },
    },
    {
      name: 'list the pages of the console',
      // the metrics of 30 days
      rowsMax: 150_000,
      readsAllOf: ['metric_change'],
      async run(on) {
        const scope = await scopeOn(on);
        await pageLister(on.pool)(scope, 500);
        await lastPageChanger(on.pool)(scope, 1);
      },
    },
    {
      name: 'read the overview',
      // the metrics of its days
      rowsMax: 150_000,
      readsAllOf: ['metric_change'],
      async run(on) {
        const [scope, read] = [await scopeOn(on), overviewReader(on.pool)];
        const day = new Date().toISOString().slice(0, 10);
        for (const by of ['day', 'page', 'campaign'] as const) await read(scope, { from: day, to: day, by });
        await read(scope, { from: '2020-01-01', to: '2020-02-01', by: 'campaign', page: 'none', campaign: '' });
      },
    },
  ];
};
