import { Migration } from '@mikro-orm/migrations';

/**
 * What a worker needs to survive a conversion that kills it, what became of a request after the platform had taken it,
 * how much of a platform's quota is used, and a third platform.
 */
export class Migration20261121220000 extends Migration {
  override up(): void {
    this.addSql(`
      alter table platform_connection
        drop constraint platform_connection_platform_check,
        add constraint platform_connection_platform_check check (platform in ('meta', 'google', 'tiktok'));

      alter table feedback
        add column claims_unfinished int not null default 0,
        add column retried_since timestamptz(6),
        add column note text;
      drop index feedback_connection_id_index;
      drop index feedback_due_at_index;
      create index feedback_connection_id_due_at_index on feedback (connection_id, due_at) where state = 'pending';

      alter table feedback_attempt
        drop constraint feedback_attempt_outcome_check,
        add constraint feedback_attempt_outcome_check
          check (outcome in ('delivered', 'rejected', 'unavailable', 'throttled', 'refused', 'requeued')),
        add column platform_request text;
      create index feedback_attempt_platform_request_index on feedback_attempt (platform_request)
        where platform_request is not null;

      create table platform_request (
        id bigserial primary key,
        account_id bigint not null constraint platform_request_account_id_foreign references account,
        connection_id bigint not null constraint platform_request_connection_id_foreign references platform_connection,
        name text not null,
        look_at timestamptz(6),
        looks int not null default 0,
        verdict jsonb,
        created_at timestamptz(6) not null default now(),
        constraint platform_request_connection_id_name_unique unique (connection_id, name)
      );
      create index platform_request_account_id_index on platform_request (account_id);
      create index platform_request_look_at_index on platform_request (look_at) where look_at is not null;

      create table platform_quota (
        name text primary key,
        day date not null,
        used int not null,
        last_turn_at timestamptz(6) not null
      );
    `);
  }
}
