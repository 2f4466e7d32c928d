import { matchKeySet } from '@leadback/domain';
import { givenConnection, givenManyDeliveries, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

describe('operator quality', async () => {
  const operator = await shared(givenOperator());

  const givenSales = async () => {
    const { database } = operator;
    const connection = await givenConnection(database.em(), { platform: 'google' });
    const ids = await givenManyDeliveries(database, { connection, rows: 1_200 });
    await database.pool.query(
      `update delivery set state = 'delivered', parcel_id = null, match_keys = $2 where id = any($1)`,
      [ids.slice(0, 1_000), matchKeySet({ gclid: true, email: true })],
    );
    await database.pool.query(
      `update delivery set state = 'skipped', reason = 'no_match_keys', parcel_id = null where id = any($1)`,
      [ids.slice(1_000)],
    );
    return connection.account.id;
  };

  it('prints the quality of each platform as JSON', async () => {
    const account = await givenSales();
    expect(await operator.json(`quality --account ${account}`)).toMatchObject([
      {
        platform: 'google',
        conversions: 1_200,
        delivered: 1_000,
        skipped: { no_match_keys: 200 },
        failed: {},
        keys: { gclid: 0.8333, email: 0.8333, phone: 0 },
        advice: [
          { action: expect.stringContaining('phoneNumber'), affects: 1 },
          { action: expect.stringContaining('email'), affects: 0.1667 },
          { action: expect.stringContaining('auto-tagging'), affects: 0.1667 },
        ],
      },
    ]);
    expect(await operator.json(`quality --account ${account} --to 2026-01-01`)).toEqual([]);
  });

  it('prints a table with one line for each piece of advice', async () => {
    const { out } = await operator.type(`quality --account ${await givenSales()}`);
    expect(out).toMatch(/google +│ 1,200 +│ 1,000 +│ 200 no_match_keys +│ +│ gclid 83\.3 %/);
    expect(out).toMatch(/100 %: Send the phone number/);
    expect(out).toMatch(/│ 16\.7 %: Send the email address/);
  });

  it.each([
    ['--account 999999', 'there is no account 999999'],
    ['--account 1 --from yesterday', '--from: expected a day such as 2026-11-21'],
    ['--account 1 --from 2026-11-22 --to 2026-11-21', '--from: is after --to'],
  ])('refuses quality %s', async (options, message) => {
    const { status, err } = await operator.type(`quality ${options}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
