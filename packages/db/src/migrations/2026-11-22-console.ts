import { Migration } from '@mikro-orm/migrations';
import { buildIndex, withLockRetry } from '../change-with-lock-retry.ts';

const tables = `
  create table if not exists person (
    id bigserial primary key,
    email text not null constraint person_email_unique unique,
    role text not null constraint person_role_check
      check (role in ('admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer')),
    password_hash text,
    second_factor bytea,
    code_step bigint not null default 0,
    wrong_codes int not null default 0,
    locked_until timestamptz(6),
    disabled_at timestamptz(6),
    created_at timestamptz(6) not null default now()
  );
  create table if not exists membership (
    person_id bigint not null constraint membership_person_id_foreign references person,
    account_id bigint not null constraint membership_account_id_foreign references account,
    primary key (person_id, account_id)
  );
  create table if not exists invitation (
    id bigserial primary key,
    person_id bigint not null constraint invitation_person_id_foreign references person,
    token_hash bytea not null constraint invitation_token_hash_unique unique,
    expires_at timestamptz(6) not null,
    used_at timestamptz(6),
    password_hash text,
    second_factor bytea,
    wrong_codes int not null default 0,
    created_at timestamptz(6) not null default now(),
    constraint invitation_person_id_unique unique (person_id)
  );
  create table if not exists person_session (
    id bigserial primary key,
    person_id bigint not null constraint person_session_person_id_foreign references person,
    token_hash bytea not null constraint person_session_token_hash_unique unique,
    stepped_up_at timestamptz(6) not null default now(),
    seen_at timestamptz(6) not null default now(),
    expires_at timestamptz(6) not null,
    created_at timestamptz(6) not null default now()
  );
  create index if not exists person_session_person_id_index on person_session (person_id);
  create table if not exists audit_entry (
    id bigserial primary key,
    at timestamptz(6) not null default now(),
    actor text not null,
    action text not null,
    account_id bigint,
    target text not null,
    details jsonb not null default '{}'
  );
  create index if not exists audit_entry_account_id_id_index on audit_entry (account_id, id);
  create table if not exists console_task (
    id bigserial primary key,
    account_id bigint not null constraint console_task_account_id_foreign references account,
    started_by text not null,
    kind text not null constraint console_task_kind_check check (kind in ('retry')),
    filter jsonb not null,
    state text not null default 'running'
      constraint console_task_state_check check (state in ('running', 'done', 'failed')),
    total int,
    done int not null default 0,
    cursor jsonb not null,
    message text,
    worked_at timestamptz(6) not null default clock_timestamp(),
    created_at timestamptz(6) not null default now(),
    finished_at timestamptz(6)
  );
  create index if not exists console_task_account_id_id_index on console_task (account_id, id);
  create index if not exists console_task_open_index on console_task (worked_at) where state = 'running';
`;

/**
 * People of the console, what they did and what they started, and indexes for its lists of deliveries. A list of an
 * account's deliveries in their order needs their ids in the index by account. The index of those that ended without
 * success has no condition on the state, or no update of a delivery would be a HOT update. Run again after a failure, it
 * finishes what is missing.
 */
export class Migration20261122220000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await this.execute(tables);
    await buildIndex(execute, 'feedback_listed_index', 'feedback (account_id, id)');
    await withLockRetry(() => execute('drop index concurrently if exists feedback_account_id_index'));
    await buildIndex(
      execute,
      'feedback_ended_index',
      'feedback (account_id, connection_id, id) where undelivered is not null or note is not null',
    );
  }
}
