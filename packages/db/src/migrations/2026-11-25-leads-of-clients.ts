import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

/**
 * Drops the foreign key from a client to its lead: registrations lock the lead that they have just read, which retention then
 * keeps. The foreign key looked for it a second time.
 */
export class Migration20261125251000 extends Migration {
  // waits for locks with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override up(): Promise<void> {
    return changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['lead', 'client'],
      change: 'alter table client drop constraint if exists client_lead_id_foreign',
    });
  }
}
