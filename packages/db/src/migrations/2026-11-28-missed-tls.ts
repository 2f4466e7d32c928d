import { Migration } from '@mikro-orm/migrations';

/** Landing apps behind a proxy that ends TLS and that they do not trust. */
export class Migration20261128310000 extends Migration {
  override up(): void {
    this.addSql('alter table landing_instance add column misses_tls boolean not null default false');
  }
}
