import { givenAccount, givenConnection, givenDatabase, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

// $1: an account, $2: the connection or the page
const inserts = {
  platform_request: `insert into platform_request (account_id, connection_id, name) values ($1, $2, 'request')`,
  connection_settings_change: `insert into connection_settings_change (account_id, connection_id, version, settings, event_names)
    values ($1, $2, 1000, '{}', '{}')`,
  account_metric: `insert into account_metric (account_id, landing_page_id, day, campaign, measure, value)
    values ($1, $2, current_date, '', 'leads', 1)`,
};

describe('the foreign keys of the database', async () => {
  const database = await shared(givenDatabase());

  it('compare the account, wherever both tables have one', async () => {
    const { rows } = await database.pool.query(
      `select c.conname as name from pg_constraint c
       join pg_attribute child on child.attrelid = c.conrelid and child.attname = 'account_id'
       join pg_attribute parent on parent.attrelid = c.confrelid and parent.attname = 'account_id'
       where c.contype = 'f' and child.attnum <> all(c.conkey)`,
    );
    // another index of all conversions takes up to a tenth more for each: see tests/results/2026-11-measurements.csv
    expect(rows).toEqual([{ name: 'conversion_adjustment_conversion_id_foreign' }]);
  });

  it.each(Object.entries(inserts))('refuse a row of %s whose account is another one', async (table, insert) => {
    const em = database.em();
    const [own, other] = [await givenAccount(em), await givenAccount(em)];
    const given = table === 'account_metric' ? givenLandingPage : givenConnection;
    const parent = await given(em, { account: own });
    await expect(database.pool.query(insert, [other.id, parent.id])).rejects.toThrow('_of_account_foreign');
    await database.pool.query(insert, [own.id, parent.id]);
  });
});
