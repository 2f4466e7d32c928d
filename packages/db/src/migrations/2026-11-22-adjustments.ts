import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table. A delivery of before has a conversion, as the check demands.
const subjects = `
  create table if not exists conversion_adjustment (
    id bigserial primary key,
    account_id bigint not null constraint conversion_adjustment_account_id_foreign references account,
    conversion_id bigint not null constraint conversion_adjustment_conversion_id_foreign references conversion,
    is_test boolean not null,
    kind text not null constraint conversion_adjustment_kind_check check (kind in ('restate', 'retract')),
    amount numeric(12, 2) not null,
    previous_amount numeric(12, 2) not null,
    occurred_at timestamptz(6) not null,
    external_reference text,
    test_reference text,
    created_at timestamptz(6) not null default now(),
    constraint conversion_adjustment_account_id_external_reference_unique unique (account_id, external_reference),
    constraint conversion_adjustment_account_id_test_reference_unique unique (account_id, test_reference)
  );
  create index if not exists conversion_adjustment_conversion_id_id_index on conversion_adjustment (conversion_id, id);

  -- without foreign keys: the statements that insert deliveries have just read or inserted their subject
  alter table feedback
    alter column conversion_id drop not null,
    add column if not exists client_id bigint,
    add column if not exists adjustment_id bigint,
    add column if not exists event_note text,
    drop constraint if exists feedback_subject_check,
    add constraint feedback_subject_check check (num_nonnulls(conversion_id, client_id, adjustment_id) = 1) not valid;

  -- The trigger before this one, described, knows the mode and the time of every delivery.
  create or replace function enqueue_for_earlier_version() returns trigger language plpgsql as $$
  begin
    if new.state <> 'pending' then
      new.parcel_id = null;
      return new;
    end if;
    insert into feedback_due (account_id, connection_id, is_test, feedback_ids, not_before, retry_from, oldest_at)
    values (new.account_id, new.connection_id, new.is_test, array[new.id],
            case when new.due_at > now() + interval '1 year' then now() else new.due_at end,
            coalesce(new.retried_since, new.created_at), coalesce(new.occurred_at, now()))
    returning id into new.parcel_id;
    return new;
  end $$;

  -- An adjustment counts on the day of its conversion. What is refunded is how far the total is below the original one.
  create or replace function note_adjustments() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), l.landing_page_id, campaign_of(l.click_marks),
           m.measure, sum(m.change)
    from added a
    cross join lateral (select * from conversion where id = a.conversion_id limit 1) v
    cross join lateral (select lead_id from client where id = v.client_id limit 1) c
    cross join lateral (select landing_page_id, click_marks from lead where id = c.lead_id limit 1) l
    cross join lateral (values
      ('amount.' || v.currency, a.amount - a.previous_amount),
      ('refunded.' || v.currency, greatest(v.amount - a.amount, 0) - greatest(v.amount - a.previous_amount, 0))
    ) m (measure, change)
    where not a.is_test and m.change <> 0
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;
  drop trigger if exists noted on conversion_adjustment;
  create trigger noted after insert on conversion_adjustment
    referencing new table as added for each statement execute function note_adjustments();
`;

/**
 * Adjustments of conversions, and deliveries with one subject of several kinds: a conversion, a client or an adjustment.
 * Workers of the version before cannot send an adjustment: they are upgraded before the api, which registers them. Run
 * again after a failure, it finishes what is missing.
 */
export class Migration20261122165000 extends Migration {
  // indexes are built concurrently, which no transaction can do
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['account', 'conversion', 'feedback'],
      change: subjects,
    });
    // reads all deliveries, beside those who write them
    await withLockRetry(() => this.execute('alter table feedback validate constraint feedback_subject_check'));
    for (const subject of ['adjustment_id', 'client_id']) {
      const name = `feedback_${subject}_connection_id_unique`;
      await withLockRetry(async () => {
        await this.execute(`drop index concurrently if exists ${name}`); // one left by a run that failed is invalid
        await this.execute(
          `create unique index concurrently ${name} on feedback (${subject}, connection_id) where ${subject} is not null`,
        );
      });
    }
  }
}
