import { Migration } from '@mikro-orm/migrations';

/** Where clicks of a page went before its target got another host, and an event that tells of it. */
export class Migration20261128500000 extends Migration {
  override up(): void {
    this.addSql('alter table landing_page add column earlier_host text, add column host_changed_at timestamptz(6)');
    this.addSql(`alter table webhook_event drop constraint webhook_event_type_check,
      add constraint webhook_event_type_check check (type in (
        'feedback.delivered', 'feedback.failed', 'feedback.skipped', 'connection.needs_attention', 'connection.recovered',
        'import.finished', 'reconciliation.finished', 'page.target_changed', 'webhook.test'))`);
    this.addSql(`alter table platform_connection drop constraint platform_connection_event_kinds_check,
      add constraint platform_connection_event_kinds_check check (event_kinds <@ array[
        'conversion'::text, 'lead'::text, 'feedback.delivered'::text, 'feedback.failed'::text, 'feedback.skipped'::text,
        'connection.needs_attention'::text, 'connection.recovered'::text, 'import.finished'::text,
        'reconciliation.finished'::text, 'page.target_changed'::text])`);
  }
}
