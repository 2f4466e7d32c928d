import { Migration } from '@mikro-orm/migrations';

/**
 * Fences around an app that was taken over: it can neither replace the key with which contact data is encrypted, nor act
 * in the audit log as somebody else.
 */
export class Migration20261128710000 extends Migration {
  override up(): void {
    // by the owner of the table, and by the commands of the operator: rotation, and forgetting an account
    this.addSql(`
      create function keep_data_key() returns trigger language plpgsql as $$
      begin
        if current_user <> 'leadback_console'
          and not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
          raise insufficient_privilege using message = format('%I may not replace the key of an account', current_user);
        end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger keep_data_key before update of data_key on account for each row
      when (old.data_key is not null and new.data_key is distinct from old.data_key) execute function keep_data_key()`);
    // An api acts with a key, or completes an erasure that somebody asked for.
    this.addSql(`
      create function own_actor() returns trigger language plpgsql as $$
      begin
        if new.actor = 'leadback' then return new; end if;
        if current_user = 'leadback_api' and (
          new.actor ~ '^key [0-9]+$'
          or new.action = 'client.erase' and exists (
            select from erasure
            where 'erasure ' || id = new.target and account_id = new.account_id and actor = new.actor))
        then
          return new;
        end if;
        raise insufficient_privilege using message = format('%I may not act as another', current_user);
      end $$`);
    this.addSql(`
      create trigger own_actor before insert on audit_entry for each row
      when (current_user in ('leadback_landing', 'leadback_api', 'leadback_feedback_worker'))
      execute function own_actor()`);
  }
}
