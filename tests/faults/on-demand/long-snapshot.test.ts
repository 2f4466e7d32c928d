import { eventually } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered } from '../../support/deliveries.ts';
import { enough } from '../../support/long-run.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';

// longer: `npm run test:long -- long-snapshot` registers for five minutes meanwhile
const duringSnapshot = Number(process.env['SNAPSHOT_CONVERSIONS'] ?? 200);
const timeout = 120_000 + 100 * duringSnapshot;

describe('a long transaction, such as a backup', () => {
  it('delays neither deliveries nor the roll-up of metrics', { timeout }, async () => {
    await using stack = await givenStack();
    const ledger = await givenLedger(stack);
    await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    const { pool } = stack.database;
    await areDelivered(stack.database, await ledger.register(10));

    const backup = await pool.connect();
    try {
      await backup.query('begin isolation level repeatable read');
      // an app's role has a limit
      await backup.query('set local idle_in_transaction_session_timeout = 0');
      const seen = async () => (await backup.query('select count(*)::int as conversions from conversion')).rows;
      expect(await seen()).toEqual([{ conversions: 10 }]);
      const load = ledger.load(enough(100, 200));
      await load.more(duringSnapshot);
      const entries = await load.stop();
      await areDelivered(stack.database, entries);
      await areDelivered(stack.database, await ledger.register(10));
      await eventually(
        async () => expect((await pool.query('select from metric_increment limit 1')).rowCount).toBe(0),
        {
          interval: 200,
        },
      );
      // deleted rows were kept for it all the time
      expect(await seen()).toEqual([{ conversions: 10 }]);
      const holders = `select from pg_stat_activity where datname = current_database() and backend_xmin is not null
        and state = 'idle in transaction' and xact_start < now() - interval '1 second'`;
      expect((await pool.query(holders)).rowCount).toBe(1);
    } finally {
      await backup.query('rollback');
      backup.release();
    }
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
