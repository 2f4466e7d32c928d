import { Migration } from '@mikro-orm/migrations';
import { buildIndex } from '../change-with-lock-retry.ts';

/**
 * The leads of an account's pages, without its other measures. Its columns never change, so that updates of a total stay
 * HOT updates.
 */
export class Migration20261122224000 extends Migration {
  // indexes are built concurrently
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await buildIndex(
      (sql) => this.execute(sql),
      'account_metric_leads_index',
      `account_metric (account_id, day) where measure = 'leads'`,
    );
  }
}
