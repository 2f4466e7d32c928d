import { eraseAlone, type PoolClient, preparedStatement } from '@leadback/db';
import type { ErasedPerson } from './ask/subject.ts';
import { eraseImportedRows, findImportedRows } from './erase-imported-rows.ts';
import { eraseRowsOfLists } from './erase-listed-rows.ts';
import { eraseStoredTraces } from './erase-stored-traces.ts';
import { findPerson, type FoundPerson, type PersonToErase } from './find-person.ts';
import type { ProvenLead } from './prove-lead.ts';
import { type ErasedKeysTools, keepErasedKeys } from './keep-erased-keys.ts';
import { withoutPersonalData } from './personal-lead-data.ts';

/** Whether the person was found. Erased persons are not found again. */
export const isAnyoneErased = ({ clientIds, leads, importedRows, listedRows }: ErasedPerson): boolean =>
  clientIds.length + leads + importedRows + listedRows > 0;

export interface ErasureInProgress {
  readonly id: string;
  /** Whether a visitor's has waited long enough for imports with rows of the person; until then, it holds up none. */
  readonly hasWaitedForImports: boolean;
}

/** Rows of the person are being imported, and this erasure may not hold up the import. */
export class WaitsForImport extends Error {
  override readonly name = 'WaitsForImport';
}

const findOpenImports = preparedStatement<{ id: number }>(
  'find-open-imports',
  'select id from import where account_id = $1 and id = any($2) and finished_at is null limit 1',
);

// An api that has read rows of an import registers them from memory: what it registers must be found, and it must not
// read rows that are erased here. Apis pass over locked imports. The rows of a dry run may be copied, to register them.
const lockOpenImports = preparedStatement(
  'lock-open-imports',
  `select id from import where account_id = $1 and id = any($2) and (finished_at is null or is_dry_run)
   order by id for update`,
);

/** Imports without rows of the person go on. */
const lockImportsOf = async (on: PoolClient, found: FoundPerson, mayLock: boolean): Promise<void> => {
  const { accountId } = found;
  const importIds = [...new Set((await findImportedRows(on, found)).map((row) => row.import_id))];
  if (importIds.length === 0) return;
  const [open] = mayLock ? [] : await findOpenImports(on, [accountId, importIds]);
  if (open) throw new WaitsForImport();
  await lockOpenImports(on, [accountId, importIds]);
};

const eraseClients = preparedStatement<{ id: number }>(
  'erase-clients',
  `with mine as (select id from client where account_id = $1 and id = any($2) order by id for update)
   update client set name = null, email = null, email_key = null, test_email_key = null, phone_number = null,
                     contact = null,
                     external_reference = null, test_reference = null, trace_parent = null
   from mine where client.id = mine.id returning client.id`,
);

const eraseLeads = preparedStatement<{ id: number }>(
  'erase-leads',
  `with mine as (select id from lead where account_id = $1 and id = any($2) order by id for update)
   update lead set ${withoutPersonalData} from mine where lead.id = mine.id returning lead.id`,
);

/**
 * Erases the personal data of one person in an account, live and test: of clients with this email or reference, of
 * their leads, of leads with this email, of clients without an email that came from those leads, of imported rows
 * of them and rows of reconciled lists that name any of them or have their conversions; of a lead reference, that lead
 * and all its clients; of a lead that its browser has proven, that lead, and its client if it is the only one. Conversions
 * are kept. Open imports with rows of the person wait
 * meanwhile. Needs a transaction.
 */
export const erasePerson = async (
  on: PoolClient,
  person: PersonToErase | ProvenLead,
  asked: ErasureInProgress,
  tools: ErasedKeysTools,
): Promise<ErasedPerson> => {
  const { accountId } = person;
  const { contacts } = tools;
  await lockImportsOf(on, await findPerson(on, person, contacts), 'decidedBy' in person || asked.hasWaitedForImports);
  // again: a locked import may have registered more of the person
  const found = await findPerson(on, person, contacts);
  const importedRows = await eraseImportedRows(on, found);
  const listedRows = await eraseRowsOfLists(on, found);
  await eraseStoredTraces(on, found);
  await eraseAlone(on, accountId);
  // again: a request may have registered the person meanwhile
  const left = await findPerson(on, person, contacts);
  const { clientIds, leadIds } = left;
  const askedBy = 'decidedBy' in person ? person.decidedBy : 'visitor';
  if (!left.isTest) await keepErasedKeys(on, left, { id: asked.id, askedBy }, tools);
  const clients = await eraseClients(on, [accountId, clientIds]);
  const leads = await eraseLeads(on, [accountId, leadIds]);
  const counts = { leads: leads.length, importedRows, listedRows };
  return { clientIds: clients.map(({ id }) => id), ...counts, ...(left.leavesClients && { leavesClients: true }) };
};
