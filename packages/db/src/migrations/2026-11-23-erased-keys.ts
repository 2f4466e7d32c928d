import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

const change = `
  create table if not exists erased_key (
    account_id bigint not null,
    hash text not null,
    erased_at timestamptz(6) not null default now(),
    constraint erased_key_pkey primary key (account_id, hash)
  );
  alter table account add column if not exists erased_persons text not null default 'allow'
    constraint account_erased_persons_check check (erased_persons in ('allow', 'suppress'));
`;

/** Keyed hashes of what was erased, and whether an account may register erased persons again. */
export class Migration20261123244000 extends Migration {
  // waits for the lock with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), { tables: ['account'], change });
  }
}
