import { openDatabase } from '@leadback/db';
import { apiKeyFinder, clientRegistrar, conversionRegistrar } from '@leadback/intake';
import { clientReader, conversionReader, rollUpMetrics } from '@leadback/reports';
import { issueLeadReference, leadReferenceKeys } from '@leadback/secrets';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  givenLead,
  secretsKeys,
} from '@leadback/test-fixtures';
import { expect, it } from 'vitest';
import { recordingPool, wholeTableReads } from '../support/plans.ts';

interface Owners {
  readonly account: number;
  readonly lead: number;
  readonly client: number;
  readonly page: number;
  readonly connection: number;
}

/** $1: how many rows to add. */
const growth = ({ account, lead, client, page, connection }: Owners): string[] => [
  `insert into account (name) select 'a' from generate_series(1, $1::int)`,
  `insert into api_key (account_id, name, key_hash, prefix)
   select ${account}, 'k', decode(md5(random()::text), 'hex'), 'p' from generate_series(1, $1::int)`,
  `insert into lead (account_id, landing_page_id, reference, click_marks)
   select ${account}, ${page}, gen_random_uuid()::text, '{}' from generate_series(1, $1::int)`,
  `insert into client (account_id, lead_id, external_reference, email_key)
   select ${account}, ${lead}, gen_random_uuid()::text, gen_random_uuid()::text from generate_series(1, $1::int)`,
  `insert into conversion (account_id, client_id, amount, currency, external_reference, event_id)
   select ${account}, ${client}, 1, 'USD', gen_random_uuid()::text, gen_random_uuid()::text
   from generate_series(1, $1::int)`,
  `insert into platform_connection (account_id, platform, settings, credentials)
   select id, 'meta', '{}', '' from account order by id desc limit $1`,
  `insert into feedback (account_id, conversion_id, connection_id, state, closed_at)
   select ${account}, id, ${connection}, 'delivered', now() from conversion order by id desc limit $1
   on conflict do nothing`,
  `insert into feedback_due (account_id, connection_id, feedback_ids)
   select ${account}, ${connection}, array[n] from generate_series(1, $1::int) n`,
  `insert into idempotency_record (account_id, route, key, fingerprint, answer)
   select ${account}, 'conversion', gen_random_uuid()::text, '', '{}' from generate_series(1, $1::int)`,
  `insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
   select ${account}, current_date, ${page}, 'c' || n % 100, 'leads', 1 from generate_series(1, $1::int) n`,
];

it('reads no whole table to register, read or roll up, however large the tables are', async () => {
  await using database = await givenDatabase();
  const em = database.em();
  const account = await givenAccount(em);
  const client = await givenClient(em, { account, externalReference: 'C1' });
  const connection = await givenConnection(em, { account });
  const keys = leadReferenceKeys(secretsKeys);
  const lead = await givenLead(em, { account, reference: issueLeadReference(keys) });

  const { pool, statements } = recordingPool(database.pool);
  const mode = { accountId: account.id, isTest: false };
  const registerConversion = conversionRegistrar(pool, { announce: () => {} });
  const { id } = await registerConversion(
    mode,
    { amount: '1', currency: 'USD', clientExternalReference: 'C1', conversionExternalReference: 'O1' },
    'key',
  );
  await clientRegistrar(pool, keys)(mode, { leadReference: lead.reference });
  await apiKeyFinder(pool)('00');
  await clientReader(pool)(mode, client.id);
  await conversionReader(pool)(mode, { id });
  await conversionReader(pool)(mode, { externalReference: 'O1' });
  await rollUpMetrics(pool, 3_000);
  expect(statements().map(({ name }) => name)).toHaveLength(10);

  await using owner = await openDatabase({
    url: database.ownerUrl,
    applicationName: 'test',
    hasNoStatementTimeout: true,
  });
  const on = await owner.pool.connect();
  const found: Record<string, string[]> = {};
  const explainAll = async (size: string) => {
    for (const statement of statements()) {
      const reads = await wholeTableReads(on, statement);
      if (reads.length > 0) found[`${statement.name}, ${size}`] = reads;
    }
  };
  try {
    await on.query('alter table conversion disable trigger user; alter table lead disable trigger user');
    await on.query('alter table client disable trigger user; alter table feedback disable trigger user');
    const inserts = growth({
      account: account.id,
      lead: lead.id,
      client: client.id,
      page: lead.landingPage.id,
      connection: connection.id,
    });
    let rows = 0;
    for (const size of [0, 1_000, 10_000, 100_000]) {
      for (const insert of inserts) await on.query(insert, [size - rows]);
      rows = size;
      await explainAll(`${size} rows`);
      // PostgreSQL reads a table of one page as a whole if it knows its size, whatever the statement
      if (size === 0) continue;
      await on.query('vacuum analyze');
      await explainAll(`${size} rows, analyzed`);
    }
  } finally {
    on.release();
  }
  expect(found).toEqual({});
});
