import { Migration } from '@mikro-orm/migrations';
import { z } from 'zod';
import { changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

const stateSchema = z.tuple([z.object({ is_done: z.boolean(), month: z.string(), until: z.string() })]);

/**
 * Attempts in a partition a month; and an index for those who ask which clients came by a lead. What is there becomes
 * the first partition as it is, up to the end of the next month: weeks in which it can be done again, should it be cut
 * off before what is already bound so far is joined by what comes after. The long parts (an index, a look at every row)
 * hold nobody up; the change itself takes milliseconds.
 */
export class Migration20261121231000 extends Migration {
  // an index that is built beside the apps at work is built outside of any transaction
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const [{ is_done: isDone, month, until }] = stateSchema.parse(
      await this.execute(`
        select relkind = 'p' as is_done, to_char(last_month, 'YYYY_MM') as month,
               to_char(last_month + interval '1 month', 'YYYY-MM-DD 00:00:00') as until
        from pg_class cross join (select date_trunc('month', now() at time zone 'utc') + interval '1 month' as last_month) months
        where oid = 'feedback_attempt'::regclass`),
    );
    if (isDone) return;
    const first = `feedback_attempt_to_${month}`;

    await this.buildIndex('client_lead_id_index', 'index', 'client (lead_id)');
    await this.buildIndex('feedback_attempt_id_created_at_index', 'unique index', 'feedback_attempt (id, created_at)');
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['feedback_attempt'],
      change: `alter table feedback_attempt
        drop constraint if exists feedback_attempt_range_check,
        add constraint feedback_attempt_range_check check (created_at < '${until}+00') not valid`,
    });
    await this.execute('alter table feedback_attempt validate constraint feedback_attempt_range_check');

    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['feedback', 'feedback_attempt', 'account'],
      change: `
        alter table feedback_attempt rename to ${first};
        alter table ${first} drop constraint feedback_attempt_pkey;
        alter table ${first} add constraint ${first}_pkey primary key using index feedback_attempt_id_created_at_index;
        alter index feedback_attempt_feedback_id_index rename to ${first}_feedback_id_index;
        alter index feedback_attempt_platform_request_index rename to ${first}_platform_request_index;

        create table feedback_attempt (
          id bigint not null default nextval('feedback_attempt_id_seq'),
          account_id bigint not null constraint feedback_attempt_account_id_foreign references account,
          feedback_id bigint not null constraint feedback_attempt_feedback_id_foreign references feedback,
          outcome text not null constraint feedback_attempt_outcome_check
            check (outcome in ('delivered', 'rejected', 'unavailable', 'throttled', 'refused', 'requeued')),
          reason text,
          http_status int,
          answer text,
          duration_ms int not null,
          platform_request text,
          created_at timestamptz(6) not null default now(),
          primary key (id, created_at)
        ) partition by range (created_at);
        alter sequence feedback_attempt_id_seq owned by feedback_attempt.id;
        create index feedback_attempt_feedback_id_index on feedback_attempt (feedback_id);
        create index feedback_attempt_platform_request_index on feedback_attempt (platform_request)
          where platform_request is not null;

        alter table feedback_attempt attach partition ${first} for values from (minvalue) to ('${until}+00');
        alter table ${first} drop constraint feedback_attempt_range_check;
        create table feedback_attempt_default partition of feedback_attempt default;

        do $$
        declare granted record;
        begin
          for granted in
            select privilege_type as privilege, grantee::regrole as role
            from pg_class, aclexplode(relacl) where oid = '${first}'::regclass and grantee not in (0, relowner)
          loop
            execute format('grant %s on feedback_attempt to %s', granted.privilege, granted.role);
          end loop;
        end $$;

        do $$
        declare month timestamptz;
        begin
          for month in select m at time zone 'utc'
            from generate_series(timestamp '${until}', timestamp '${until}' + interval '1 month', '1 month') m
          loop
            execute format('create table %I partition of feedback_attempt for values from (%L) to (%L)',
              'feedback_attempt_' || to_char(month at time zone 'utc', 'YYYY_MM'),
              month, (month at time zone 'utc' + interval '1 month') at time zone 'utc');
          end loop;
        end $$;`,
    });
  }

  /** Beside those who write into the table. What is left of an index that was not finished is no use. */
  private buildIndex(name: string, kind: string, on: string): Promise<void> {
    return withLockRetry(async () => {
      await this.execute(`drop index concurrently if exists ${name}`);
      await this.execute(`create ${kind} concurrently ${name} on ${on}`);
    });
  }
}
