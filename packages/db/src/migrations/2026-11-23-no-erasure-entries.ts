import { Migration } from '@mikro-orm/migrations';
import { withLockRetry } from '../change-with-lock-retry.ts';

/** Drops the index of the audit entries of erasures: the table of erasures has their receipts. */
export class Migration20261123243100 extends Migration {
  // an index is dropped concurrently outside of transactions alone
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await withLockRetry(() => this.execute('drop index concurrently if exists audit_entry_erasure_index'));
  }
}
