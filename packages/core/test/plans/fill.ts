import type { Account } from '@leadback/db';
import { lookupHash } from '@leadback/domain/keys';
import { keysOfAccount, type TestDatabase } from '@leadback/testing';
import { openAsAdministrator } from '../plans.ts';

export interface Owners {
  readonly account: Account;
  readonly page: number;
  readonly connections: readonly number[];
}

// filler rows have ids of their own, below those of the rows that the apps make later
const firstId = 1_000;
const lastIdEver = 10_000_000;

const tables = [
  'lead',
  'client',
  'conversion',
  'conversion_adjustment',
  'delivery',
  'delivery_due',
  'delivery_attempt',
  'platform_request',
  'metric_increment',
  'quality_increment',
  'webhook_event',
];

/** One delivery row per conversion; one in ten is pending, in parcels of five. */
const fillers = (from: number, to: number, { account: owner, page, connections }: Owners): readonly string[] => {
  const account = owner.id;
  const keys = keysOfAccount(owner);
  /** SQL: a table with the number and the hash of an email of every so manieth row. */
  const emailsOf = (every: number, emailOf: (n: number) => string): string => {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((n) => n % every === 0);
    const hashes = numbers.map((n) => lookupHash(keys, 'email', emailOf(n)));
    return `unnest('{${numbers.join()}}'::int[], '{${hashes.join()}}'::text[]) filled (n, email_hash)`;
  };
  const rows = `generate_series(${from}, ${to}) n`;
  const id = `${firstId} + n`;
  const parcel = `${firstId} + (n - 1) / 50`;
  const connection = `('{${connections.join(',')}}'::bigint[])[1 + (n - 1) / 50 % ${connections.length}]`;
  return [
    `insert into lead (id, account_id, landing_page_id, reference, click_parameters, email_hash)
     select ${id}, ${account}, ${page}, 'filler lead ' || n, '{}', case when n % 20 = 0 then email_hash end
     from ${emailsOf(10, (n) => `visitor${n}@filler.example`)}`,
    `insert into client (id, account_id, lead_id, external_reference, email_hash, landing_page_id, campaign)
     select ${id}, ${account}, ${id}, 'filler client ' || n, email_hash, ${page}, '' from ${emailsOf(10, (n) => `${n}@filler.example`)}`,
    `insert into conversion (id, account_id, client_id, lead_id, amount, currency, external_reference, event_id,
                             landing_page_id, campaign)
     select ${id}, ${account}, ${id} + 9 - (n - 1) % 10, ${id}, 10, 'USD', case when n % 2 = 0 then 'filler order ' || n end,
            'filler ' || n, ${page}, ''
     from ${rows}`,
    `insert into delivery (id, account_id, conversion_id, connection_id, occurred_at, landing_page_id, campaign,
                           state, reason, parcel_id, closed_at)
     select ${id}, ${account}, ${id}, ${connection}, now(), ${page}, '',
            case n % 10 when 0 then 'pending' when 1 then 'failed' else 'delivered' end,
            case n % 10 when 1 then 'filler' end, case n % 10 when 0 then ${parcel} end, case when n % 10 > 0 then now() end
     from ${rows}`,
    `insert into conversion_adjustment (id, account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at,
                                        external_reference)
     select ${id}, ${account}, ${id}, false, 'retract', 0, 10, now(), 'filler refund ' || n from ${rows} where n % 20 = 0`,
    // ids between those of the deliveries of conversions and those that the apps make
    `insert into delivery (id, account_id, adjustment_id, connection_id, state, closed_at)
     select ${id} + 5000000, ${account}, ${id}, ${connection}, 'delivered', now() from ${rows} where n % 20 = 0`,
    `insert into delivery (id, account_id, client_id, connection_id, state, closed_at)
     select ${id} + 7500000, ${account}, ${id}, ${connection}, 'delivered', now() from ${rows} where n % 10 = 0`,
    `insert into webhook_event (id, account_id, is_test, type, data)
     select ${id}, ${account}, false, 'delivery.delivered', '{}' from ${rows} where n % 4 = 0`,
    `insert into delivery (id, account_id, webhook_event_id, connection_id, state, closed_at)
     select ${id} + 2500000, ${account}, ${id}, ${connection}, 'delivered', now() from ${rows} where n % 4 = 0`,
    `insert into delivery_due (id, account_id, connection_id, delivery_ids, not_before)
     select ${parcel}, ${account}, ${connection},
            array[${id} - 40, ${id} - 30, ${id} - 20, ${id} - 10, ${id}], now() + (n / 50 % 100 - 50) * interval '1 minute'
     from ${rows} where n % 50 = 0`,
    `insert into delivery_attempt (id, account_id, delivery_id, outcome, duration_ms, platform_request)
     select ${id}, ${account}, ${id}, 'delivered', 1, case when n % 20 = 2 then 'filler ' || n / 200 end
     from ${rows} where n % 4 = 2`,
    `insert into platform_request (id, account_id, connection_id, name, verdict)
     select ${id}, ${account}, ${connection}, 'filler ' || n, '{}' from ${rows} where n % 200 = 0`,
    `insert into metric_increment (id, account_id, at, landing_page_id, campaign, measure, change)
     select ${id}, ${account}, current_date, ${page}, 'filler ' || n % 1000, 'leads', 1 from ${rows} where n % 20 = 0`,
    `insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
     select ${account}, current_date, ${page}, 'filler ' || n, 'leads', 1 from ${rows} where n % 50 = 0`,
    `insert into quality_increment (id, account_id, at, connection_id, platform, state, reason, verdict, match_keys, currency,
                                    change, amount)
     select ${id}, ${account}, current_date, ${connection}, 'meta', 'failed', 'filler' || n % 1000, '', 1, 'USD', 1, 1 from ${rows} where n % 20 = 0`,
    `insert into quality_day (account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency, deliveries,
                              amount)
     select ${account}, current_date, ${connection}, 'meta', 'failed', 'filler' || n, '', 1, 'USD', 1, 1 from ${rows} where n % 50 = 0`,
    `insert into idempotency_record (account_id, route, key, fingerprint, answer)
     select ${account}, 'conversion', 'filler ' || n, '', '{}' from ${rows} where n % 20 = 0`,
  ];
};

/** Adds rows to every table that grows, as an administrator, without triggers and foreign keys. */
export interface Filler extends AsyncDisposable {
  /** `rows`: of conversions and delivery, a multiple of 200. The other tables have fewer. */
  fillTo(rows: number): Promise<void>;
  /** Lets PostgreSQL count the rows, as autovacuum does from time to time. */
  analyze(): Promise<void>;
}

const neverAnalyzed = `do $$
  declare name regclass;
  begin
    for name in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('alter table %s set (autovacuum_enabled = false)', name);
    end loop;
  end $$`;

/** The tables are not analyzed by themselves: plans are kept for as long as a test wants. */
export const openFiller = async (database: TestDatabase, owners: Owners): Promise<Filler> => {
  const administrator = await openAsAdministrator(database);
  // held: the pool would close it between two fillings, and another session has triggers
  const session = await administrator.pool.connect();
  await session.query('set session_replication_role = replica');
  for (const table of tables) {
    await session.query(`select setval('${table}_id_seq', ${lastIdEver})`);
  }
  await session.query(neverAnalyzed);
  let filled = 0;
  return {
    async fillTo(rows) {
      if (rows <= filled) return;
      for (const filler of fillers(filled + 1, rows, owners)) await session.query(filler);
      filled = rows;
    },
    async analyze() {
      await session.query('analyze');
    },
    async [Symbol.asyncDispose]() {
      session.release();
      await administrator[Symbol.asyncDispose]();
    },
  };
};
