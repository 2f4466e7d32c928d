import { cpus } from 'node:os';
import { insertRows, laterColumnsIn } from './account-rows.ts';
import type { BenchStack } from './bench-stack.ts';
import { fillQuickly } from './fill-quickly.ts';
import { countOpen, hasParcels } from './open-deliveries.ts';
import type { PartSettings } from './part.ts';
import { say } from './say.ts';

const conversionsPerClient = 10;
const parcelSize = 50;

const connectionLine = (account: number, platform: PartSettings['platform']): string => {
  const line = `connection create --account ${account} --platform ${platform}`;
  return platform === 'meta'
    ? `${line} --pixel-id ${1_000_000_000 + account} --access-token t --from-argv-i-know`
    : `${line} --customer-id ${1_000_000_000 + account} --conversion-action-id 1 --client-id ${account}-c --client-secret s --refresh-token r --from-argv-i-know`;
};

const accountSql = [
  `insert into account (name) select 'Bench' from generate_series(1, $1::int)`,
  `insert into landing_page (account_id, slug, mode, target_url)
   select id, 'bench-' || id, 'direct', 'https://shop.example/offer' from account`,
] as const;

const rowByRow = `insert into feedback (account_id, conversion_id, connection_id)
  select p.account_id, v.id, p.id from platform_connection p join conversion v on v.account_id = p.account_id
  order by v.id % 1000`;

// the parcel is named in the inserted row, as by an api that knows parcels: so the trigger for older ones adds none
const inParcels = (countedAs: readonly string[]): string => `
  with numbered as materialized (
    select p.account_id, p.id as connection_id, v.id as conversion_id,
           (row_number() over (partition by p.id order by v.id) - 1) / $1::int as number
           ${countedAs.map((column) => `, v.${column}`).join('')}
    from platform_connection p join conversion v on v.account_id = p.account_id
  ), parcel as materialized (
    select connection_id, number, nextval(pg_get_serial_sequence('feedback_due', 'id')) as id
    from (select distinct connection_id, number from numbered) distinct_parcels
  ), added as (
    insert into feedback (${['account_id, conversion_id, connection_id, parcel_id', ...countedAs].join(', ')})
    select n.account_id, n.conversion_id, n.connection_id, p.id ${countedAs.map((column) => `, n.${column}`).join('')}
    from numbered n join parcel p using (connection_id, number) order by n.number
    returning id, account_id, connection_id, parcel_id, created_at
  )
  insert into feedback_due (id, account_id, connection_id, feedback_ids, oldest_at)
  select parcel_id, account_id, connection_id, array_agg(id order by id), min(created_at)
  from added group by parcel_id, account_id, connection_id`;

export type Backlog = Pick<PartSettings, 'rows' | 'connections' | 'platform'>;

/** Fills the tables with live deliveries that are due, as an api of the checkout would have left them. */
export const buildBacklog = async (stack: BenchStack, backlog: Backlog): Promise<void> => {
  const { pool, operator } = stack;
  const { rows, connections, platform } = backlog;
  const clients = rows / connections / conversionsPerClient;
  if (!Number.isInteger(clients)) {
    throw new Error(`--rows must be a multiple of ${connections * conversionsPerClient}, for equal connections`);
  }
  const [accounts, pages] = accountSql;
  await pool.query(accounts, [connections]);
  say(`  creating ${connections} connections with the operator`);
  let account = 0;
  const connect = async (): Promise<void> => {
    while (account < connections) await operator(connectionLine((account += 1), platform));
  };
  await Promise.all(Array.from({ length: cpus().length }, connect));
  say(`  inserting ${rows} conversions`);
  await pool.query(pages);
  const countedAs = (await laterColumnsIn(pool, 'conversion')).filter((column) => column !== 'event_id');
  const areInParcels = await hasParcels(pool);
  await fillQuickly(pool, ['lead', 'client', 'conversion', 'feedback'], async (on) => {
    await insertRows(on, { leadsPerPage: clients, conversionsPerClient });
    // triggers complete deliveries
    await on.query('set session_replication_role = origin');
    await (areInParcels ? on.query(inParcels(countedAs), [parcelSize]) : on.query(rowByRow));
  });
  const open = await countOpen(pool);
  if (open !== rows) throw new Error(`the backlog has ${open} open deliveries instead of ${rows}`);
};
