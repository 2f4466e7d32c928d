import { Migration } from '@mikro-orm/migrations';

/** What an API key may do. Those of before may do everything. */
export class Migration20261128210000 extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_key add column scopes text[] not null default '{read,register,erase}'
        constraint api_key_scopes_check check (scopes <@ array['read', 'register', 'erase'] and cardinality(scopes) > 0)`);
    this.addSql('create index erasure_actor_index on erasure (account_id, actor, requested_at)');
  }
}
