import { type PoolClient, preparedStatement } from '@leadback/db';
import { auditOn } from '@leadback/people';
import { countKept, type Kept } from './count-kept.ts';
import { eraseImportedRows } from './erase-imported-rows.ts';
import { findPerson, type PersonToErase } from './find-person.ts';
import { withoutPersonalData } from './personal-lead-data.ts';

/** In the audit log; its entries are the receipts. */
export const erasureAction = 'client.erase';

export interface ErasedPerson extends Kept {
  readonly clients: number;
  readonly leads: number;
  /** Emptied rows of imported files. */
  readonly importedRows: number;
}

/** Whether the person was found. Erased persons are not found again. */
export const isAnyoneErased = ({ clients, leads, importedRows }: ErasedPerson): boolean =>
  clients + leads + importedRows > 0;

// An api that has read rows of an import registers them from memory: what it registers must be found, and it must not
// read rows that are erased here. Apis pass over locked imports. The rows of a dry run may be copied, to register them.
const lockOpenImports = preparedStatement(
  'lock-open-imports',
  `select id from import where account_id = $1 and (finished_at is null or is_dry_run)
   order by id for update`,
);

const eraseListedRows = preparedStatement(
  'erase-rows-of-reconciliations',
  `update reconciliation_row set email_key = null, client_external_reference = null
   where account_id = $1 and (email_key = any($2) or client_external_reference = any($3))`,
);

// also if they name the client otherwise, as imported rows
const eraseRowsOfConversions = preparedStatement(
  'erase-rows-of-reconciled-conversions',
  `with theirs as (
     select v.id, coalesce(v.external_reference, v.test_reference) as reference
     from unnest($2::bigint[]) c (id)
     cross join lateral (select * from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   ), listed as materialized (
     select l.* from (select id from reconciliation where account_id = $1) n
     cross join theirs t
     cross join lateral (
       select reconciliation_id, number from reconciliation_row
       where reconciliation_id + 0 = n.id and external_reference between t.reference and t.reference
         and conversion_id = t.id
       offset 0
     ) l
   )
   update reconciliation_row r set email_key = null, client_external_reference = null
   from listed l where r.reconciliation_id = l.reconciliation_id and r.number = l.number`,
);

const eraseClients = preparedStatement<{ id: number }>(
  'erase-clients',
  `with mine as (select id from client where account_id = $1 and id = any($2) order by id for update)
   update client set name = null, email = null, email_key = null, test_email_key = null, phone_number = null,
                     external_reference = null, test_reference = null
   from mine where client.id = mine.id returning client.id`,
);

const eraseLeads = preparedStatement<{ id: number }>(
  'erase-leads',
  `with mine as (select id from lead where account_id = $1 and id = any($2) order by id for update)
   update lead set ${withoutPersonalData} from mine where lead.id = mine.id returning lead.id`,
);

/**
 * Erases the personal data of one person in an account, live and test: of clients with this email or reference, of
 * their leads, of leads with this email, of clients without an email that came from those leads, and of imported rows
 * of them and rows of reconciled lists that name any of them or have their conversions. Conversions are kept. Open
 * imports of the account wait meanwhile. Needs a transaction. Returns how much was erased.
 */
export const erasePerson = async (on: PoolClient, person: PersonToErase, actor: string): Promise<ErasedPerson> => {
  const { accountId } = person;
  await lockOpenImports(on, [accountId]);
  // reads all imported rows of the account: before clients are locked, or their conversions would wait for as long
  const found = await findPerson(on, person);
  const importedRows = await eraseImportedRows(on, found);
  await eraseListedRows(on, [accountId, found.emailKeys, found.references]);
  await eraseRowsOfConversions(on, [accountId, found.clientIds]);
  // again: a request may have registered the person meanwhile
  const { clientIds, leadIds } = await findPerson(on, person);
  const clients = await eraseClients(on, [accountId, clientIds]);
  const leads = await eraseLeads(on, [accountId, leadIds]);
  const erased = {
    clients: clients.length,
    leads: leads.length,
    importedRows,
    ...(await countKept(on, accountId, clientIds)),
  };
  // by whom and when, and never who was erased
  const entry = { actor, action: erasureAction, accountId, target: 'client', details: erased };
  if (isAnyoneErased(erased)) await auditOn(on, entry);
  return erased;
};
