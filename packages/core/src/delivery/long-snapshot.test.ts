import { claimParcelsOfConnections, parcelClaimer } from '@leadback/core/delivery/claim';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler } from './settle.ts';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { readReconciliationRows } from '@leadback/core/reconciliation/read';
import { metricsRoller } from '@leadback/core/metrics/metrics';
import {
  givenAccount,
  givenContacts,
  givenConnection,
  givenDatabase,
  givenLandingPage,
  type TestDatabase,
} from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDue, givenParcel } from '../../test/parcels.ts';
import { type ExplainedDatabase, openAsAdministrator, openExplained, recordPlans } from '../../test/plans.ts';

// longer than any transaction takes to commit
const commitMaxMs = 16_000;
const pagesMax = 500;
const pagesOfStatementMax = 100;

const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt: null } as const;

describe('while a long snapshot keeps deleted rows', () => {
  let database: TestDatabase;
  let explained: ExplainedDatabase;
  let release: () => Promise<void>;

  beforeEach(async () => {
    database = await givenDatabase();
    const snapshot = await database.pool.connect();
    await snapshot.query('begin isolation level repeatable read read only');
    await snapshot.query('set local idle_in_transaction_session_timeout = 0; select from account');
    release = async () => {
      await snapshot.query('rollback');
      snapshot.release();
    };
    await recordPlans(database);
    explained = await openExplained(database, 'force_generic_plan');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await release();
    await explained[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** How many pages the statements of this work read together. */
  const pagesOf = async (work: () => Promise<unknown>): Promise<number> => {
    explained.takePlans();
    await work();
    return explained.takePlans().reduce((sum, { pages }) => sum + pages, 0);
  };

  it('finds and claims due parcels without reading those that were settled', async () => {
    const connection = await givenConnection(database.em());
    const other = await givenConnection(database.em());
    const due = dueFinder(explained.pool);
    const claimNext = async () =>
      claimParcelsOfConnections(
        explained.pool,
        [{ connectionId: connection.id, deliveries: 10, dueSince: due.dueSince(connection.id) }],
        givenContacts(),
      );
    await due.find();
    for (let round = 0; round < 4; round += 1) {
      // claimed and settled by other workers, before a sweep has seen them
      await database.pool.query(
        `insert into delivery_due (account_id, connection_id, delivery_ids, not_before)
         select $1, $2, '{}', now() - interval '20 minutes' + ($3 * 5000 + n) * interval '10 ms'
         from generate_series(1, 5000) n`,
        [connection.account.id, connection.id, round],
      );
      await database.pool.query(`update delivery_due set phase = 'claimed', not_before = now() + interval '2 minutes'`);
      await database.pool.query('delete from delivery_due');
      await due.find();
    }
    expect(await pagesOf(() => due.find())).toBeLessThan(pagesMax);
    expect(await pagesOf(claimNext)).toBeLessThan(pagesMax);

    await givenParcel(database, { connection, size: 3, dueInSeconds: -10 });
    await givenParcel(database, { connection: other, dueInSeconds: -10 });
    let found: Awaited<ReturnType<typeof due.find>> | undefined;
    const pages = await pagesOf(async () => {
      found = await due.find();
    });
    expect(pages).toBeLessThan(pagesMax);
    expect(found?.connections.map(({ id }) => id)).toEqual([connection.id, other.id]);
    const [parcel] = await claimNext();
    expect(parcel?.deliveries).toHaveLength(3);
    if (parcel) {
      const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
      await parcelSettler(explained.pool)({ parcel, deliveries: [{ ...delivered, deliveryIds }] });
    }
    expect((await due.find()).connections.map(({ id }) => id)).toEqual([other.id]);
  });

  it('claims parcels that hints name without reading those that were settled, whatever PostgreSQL knows of the table', async () => {
    const connection = await givenConnection(database.em());
    const connections = [connection, await givenConnection(database.em())];
    const claim = parcelClaimer(explained.pool, givenContacts());
    await using administrator = await openAsAdministrator(database);
    const pages: number[] = [];
    for (const live of [0, 1, 20]) {
      for (const { id, account } of connections) {
        await database.pool.query(
          `insert into delivery_due (account_id, connection_id, delivery_ids, not_before)
           select $1, $2, '{}', now() - interval '20 minutes' from generate_series(1, 5000)`,
          [account.id, id],
        );
      }
      await database.pool.query('delete from delivery_due');
      // claimed: due when their lease ends
      for (let count = 0; count < live; count += 1) await givenParcel(database, { connection, dueInSeconds: 120 });
      await administrator.pool.query('vacuum analyze delivery_due');
      const parcel = await givenParcel(database, { connection, dueInSeconds: -10 });
      pages.push(await pagesOf(async () => expect(await claim(parcel.id)).toMatchObject({ id: parcel.id })));
    }
    expect(Math.max(...pages)).toBeLessThan(pagesOfStatementMax);
  });

  it('reads the rows of a list without reading those of the lists that were deleted', async () => {
    const { id: accountId } = await givenAccount(database.em());
    const list = (id: number, rows: number) =>
      database.pool.query(
        `with list as (
           insert into reconciliation (id, account_id, is_test, from_at, until_at, walked_at)
           values ($1, $2, false, now(), now(), now())
         )
         insert into reconciliation_row (reconciliation_id, account_id, number, outcome, undelivered_in)
         select $1, $2, n, case when n % 2 = 0 then 'missing' else 'matched' end, case when n % 2 = 1 then $1 end
         from generate_series(1, $3::int) n`,
        [id, accountId, rows],
      );
    for (const id of [1_000, 1_002]) await list(id, 20_000);
    await list(1_001, 4);
    await database.asOwner('delete from reconciliation_row where reconciliation_id <> 1001');
    for (const outcome of ['missing', 'undelivered', undefined] as const) {
      let rows: unknown[] = [];
      const pages = await pagesOf(async () => {
        const question = { accountId, id: 1_001, outcome, after: 0, limit: 10 };
        rows = [...(await readReconciliationRows(explained.pool, givenContacts(), question))];
      });
      expect(rows).toHaveLength(outcome === undefined ? 4 : 2);
      expect(pages).toBeLessThan(pagesOfStatementMax);
    }
  });

  it('finds the parcels of a connection as soon as it is resumed, however old they are', async () => {
    const connection = await givenConnection(database.em());
    const { id } = await givenParcel(database, { connection, dueInSeconds: -3_600 });
    const due = dueFinder(explained.pool);
    const found = async () => (await due.find()).connections.length;
    expect(await found()).toBe(1);
    await pauseConnection(database.em(), connection.id);
    expect(await found()).toBe(0);
    await resumeConnection(database.em(), connection.id);
    expect(await found()).toBe(1);
    expect(await parcelClaimer(database.pool, givenContacts())(id)).not.toBeNull();
    expect(await claimDue(database.pool, connection.id)).toEqual([]);
  });

  it('rolls up metrics without reading the changes that were rolled up, and misses none', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const page = await givenLandingPage(database.em());
    const change = (rows: number) =>
      database.pool.query(
        `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
         select $1, current_date, $2, 'c' || n % 10, 'leads', 1 from generate_series(1, $3::int) n`,
        [page.account.id, page.id, rows],
      );
    const rolledUp = async () => {
      const { rows } = await database.pool.query(
        'select sum(value)::int as sum, (select count(*)::int from metric_increment) as left from account_metric',
      );
      return rows[0];
    };
    const rollUp = metricsRoller();
    // drawn before the others, and committed after them
    const late = async (campaign: string) => {
      const on = await database.pool.connect();
      await on.query('begin');
      await on.query(`insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
        values (${page.account.id}, current_date, ${page.id}, '${campaign}', 'leads', 1)`);
      return async () => {
        await on.query('commit');
        on.release();
      };
    };
    const commits = [await late('within 15 s'), await late('later than 15 s')];
    const pages: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await change(2_000);
      // rounds 1 and 6 begin 8 s and 48 s after the first
      if (round === 1 || round === 6) await commits.shift()?.();
      pages.push(await pagesOf(() => rollUp(explained.pool, 5_000)));
      vi.advanceTimersByTime(commitMaxMs / 2);
    }
    // each round reads its own changes, and those of the 15 s before
    expect(Math.max(...pages.slice(4))).toBeLessThan(2 * Math.max(...pages.slice(0, 4)));
    expect(await rolledUp()).toEqual({ sum: 20_001, left: 1 });
    vi.advanceTimersByTime(600_000);
    await rollUp(explained.pool, 5_000);
    expect(await rolledUp()).toEqual({ sum: 20_002, left: 0 });
  });
});
