import { Migration } from '@mikro-orm/migrations';
import { buildIndex, changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

// Columns without a rewrite of any table. The checks of connections read these alone, which are few. Events have no
// foreign key: they are written by statements that have just read what they are about.
const columns = `
  create table if not exists webhook_event (
    id bigserial primary key,
    account_id bigint not null,
    is_test boolean,
    type text not null constraint webhook_event_type_check check (type in (
      'feedback.delivered', 'feedback.failed', 'feedback.skipped', 'connection.needs_attention', 'connection.recovered',
      'import.finished', 'reconciliation.finished', 'webhook.test')),
    data jsonb not null,
    created_at timestamptz(6) not null default now()
  );

  alter table platform_connection
    add column if not exists is_test boolean,
    add column if not exists last_accepted_at timestamptz(6),
    drop constraint if exists platform_connection_event_kinds_check,
    add constraint platform_connection_event_kinds_check check (event_kinds <@ array[
      'conversion'::text, 'lead'::text, 'feedback.delivered'::text, 'feedback.failed'::text, 'feedback.skipped'::text,
      'connection.needs_attention'::text, 'connection.recovered'::text, 'import.finished'::text,
      'reconciliation.finished'::text]),
    drop constraint if exists platform_connection_mode_check,
    add constraint platform_connection_mode_check check ((platform = 'webhook'::text) = (is_test is not null));
  create index if not exists platform_connection_webhook_index on platform_connection (account_id)
    where platform = 'webhook'::text;

  alter table feedback
    add column if not exists webhook_event_id bigint,
    drop constraint if exists feedback_subject_check,
    add constraint feedback_subject_check
      check (num_nonnulls(conversion_id, client_id, adjustment_id, webhook_event_id) = 1) not valid;
`;

/**
 * Webhooks of partners: connections whose platform is 'webhook', and events that deliveries tell them of. Workers of the
 * version before cannot send to a webhook: they are upgraded before the api, which registers them. Run again after a
 * failure, it finishes what is missing.
 */
export class Migration20261122200000 extends Migration {
  // indexes are built concurrently, which no transaction can do
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    const execute = (sql: string) => this.execute(sql);
    await changeWithLockRetry(execute, { tables: ['feedback', 'platform_connection'], change: columns });
    // reads all deliveries, beside those who write them
    await withLockRetry(() => this.execute('alter table feedback validate constraint feedback_subject_check'));
    // "webhook_event_id is not null" would say the same, but a search for it may also use the unique index, all of it
    await buildIndex(
      execute,
      'feedback_webhook_log_index',
      'feedback (connection_id, id) where coalesce(webhook_event_id, 0) > 0',
    );
    const unique = 'feedback_webhook_event_id_connection_id_unique';
    await withLockRetry(async () => {
      await this.execute(`drop index concurrently if exists ${unique}`); // one left by a run that failed is invalid
      await this.execute(
        `create unique index concurrently ${unique} on feedback (webhook_event_id, connection_id) where webhook_event_id is not null`,
      );
    });
  }
}
