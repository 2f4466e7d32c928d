import { Migration } from '@mikro-orm/migrations';
import { z } from 'zod';
import { buildIndex, changeWithLockRetry } from '../change-with-lock-retry.ts';

const undelivered = `case when new.state in ('failed', 'skipped') then new.state end`;

// Deliveries that are delivered change no indexed column when they are settled (a HOT update): an index by state would
// cost a tenth more CPU for each conversion. Those that failed or were skipped are fewer, and have an index of their own.
const columns = `
  alter table feedback
    add column if not exists is_test boolean not null default false,
    add column if not exists occurred_at timestamptz(6),
    add column if not exists undelivered text;

  create or replace function describe_for_lists() returns trigger language plpgsql as $$
  begin
    new.undelivered = ${undelivered};
    if new.occurred_at is null and new.conversion_id is not null then
      select v.is_test, coalesce(v.occurred_at, v.created_at) into new.is_test, new.occurred_at
      from conversion v where v.id = new.conversion_id;
      new.is_test = coalesce(new.is_test, false);
      new.occurred_at = coalesce(new.occurred_at, new.created_at);
    end if;
    return new;
  end $$;
  drop trigger if exists described on feedback;
  create trigger described before insert or update on feedback for each row
    when (new.undelivered is distinct from ${undelivered}
      or new.occurred_at is null and new.conversion_id is not null)
    execute function describe_for_lists();
`;

const idsPerStatement = 5_000;

const backfill = (from: number) => `
  update feedback set attempts = attempts
  where id between ${from} and ${from + idsPerStatement - 1} and occurred_at is null`;

const lastIdSchema = z.tuple([z.object({ last: z.coerce.number() })]);

/**
 * Lists of conversions: newest first, also those with a delivery to a certain platform or in a certain state. Deliveries
 * know the time and the mode of their conversion, so that an index finds them. A trigger describes those of apps of the
 * version before. Run again after a failure, it finishes what is missing.
 */
export class Migration20261122160000 extends Migration {
  // the backfill commits range by range, and indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['feedback'], change: columns });
    const [{ last }] = lastIdSchema.parse(await this.execute('select coalesce(max(id), 0) as last from feedback'));
    for (let from = 1; from <= last; from += idsPerStatement) await this.execute(backfill(from));
    await buildIndex(
      execute,
      'conversion_listed_index',
      'conversion (account_id, is_test, coalesce(occurred_at, created_at), id)',
    );
    // The deliveries of conversions alone. "conversion_id is not null" would say the same, but a search for it may also use
    // the unique index, and PostgreSQL would read all of that while it does not know how many deliveries there are.
    await buildIndex(
      execute,
      'feedback_by_time_index',
      'feedback (connection_id, is_test, occurred_at, conversion_id) where coalesce(conversion_id, 0) > 0',
    );
    await buildIndex(
      execute,
      'feedback_undelivered_by_time_index',
      `feedback (connection_id, is_test, undelivered, occurred_at, conversion_id)
       where undelivered is not null and coalesce(conversion_id, 0) > 0`,
    );
  }
}
