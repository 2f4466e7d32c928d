import { Migration } from '@mikro-orm/migrations';
import { accounts } from './initial/accounts.ts';
import { deliveries } from './initial/deliveries.ts';
import { erasures } from './initial/erasures.ts';
import { files } from './initial/files.ts';
import { metrics } from './initial/metrics.ts';
import { people } from './initial/people.ts';
import { retention } from './initial/retention.ts';
import { sales } from './initial/sales.ts';

const functionsOfOwner = [
  'follow_promotion()',
  'lead_has_client(bigint, text)',
  'visitor_leads(text[], text[])',
  'withdraw_consent(text)',
  'apply_consent_withdrawals(text[])',
  'apply_retention(text, text)',
  'keep_attempt_partitions()',
];

// With the rights of the owner, so that the role of the caller needs none on the tables: the schema is fixed, to that of
// the connection, and temporary tables come last. Nobody may call them but those to whom grant-to-apps.ts gives the right.
const asOwner = (signature: string) => `
  do $do$ begin
    execute format('alter function ${signature} security definer set search_path = %I, pg_temp', current_schema());
  end $do$;
  revoke all on function ${signature} from public`;

/** The whole schema. */
export class Migration20261128000000 extends Migration {
  override async up(): Promise<void> {
    const parts = [accounts, people, sales, deliveries, files, erasures, metrics, retention];
    for (const part of [...parts, ...functionsOfOwner.map(asOwner)]) await this.execute(part);
  }
}
