import {
  type ContactCipher,
  type Pool,
  type PoolClient,
  statement,
  transaction,
  eraseAlone,
  isLockTimeout,
  isQueryTimeout,
  isStatementTimeout,
  type Queryable,
} from '@leadback/db';
import { type ErasureAsker, type AccountId, emailAddressesIn, emailKey } from '@leadback/domain';
import { contactOfClient, personHashes } from '@leadback/domain/keys';
import { audit } from '../audit.ts';
import {
  type FoundPerson,
  countKept,
  isOfClients,
  findPerson,
  type Kept,
  type PersonToErase,
  type ProvenLead,
} from './find-person.ts';
import { emptiedRow } from '../imports/store.ts';
import type { ErasedPerson } from './ask/ask-erasure.ts';

interface ClientRow {
  readonly lead_reference: string;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
}

const readClients = statement<ClientRow>(
  `select l.reference as lead_reference, c.contact, a.data_key
   from client c join lead l on l.id = c.lead_id join account a on a.id = c.account_id
   where c.id = any($2) and c.account_id = $1`,
);

const readLeads = statement<{ reference: string }>('select reference from lead where id = any($2) and account_id = $1');

// what somebody else asked for stays so if a visitor asks again
const keep = statement(
  `insert into erased_key (account_id, hash, asked_by, erasure_id)
   select $1, hash, $3, $4 from unnest($2::text[]) hash order by hash
   on conflict (account_id, hash) do update
   set erased_at = excluded.erased_at,
       asked_by = case when excluded.asked_by = 'visitor' then erased_key.asked_by else excluded.asked_by end,
       erasure_id = case when excluded.asked_by = 'visitor' then erased_key.erasure_id else excluded.erasure_id end,
       allowed_at = case when excluded.asked_by = 'visitor' then erased_key.allowed_at end`,
);

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Keeps keyed hashes of a person who is about to be erased. By those of leads, one that is still buffered is recognised. By
 * those of emails and phone numbers, the account may refuse to register the person again: they are of what the advertiser
 * registered, or asked for. Nothing that a visitor typed is kept, because nobody has verified it, and a visitor's erasure
 * keeps the leads alone. Nothing is kept in a forgotten account, where no visitor is recorded any more.
 */
const keepErasedKeys = async (
  on: PoolClient,
  { accountId }: FoundPerson,
  hashes: readonly string[],
  { id, askedBy }: { readonly id: string; readonly askedBy: ErasureAsker },
): Promise<void> => {
  if (hashes.length > 0) await keep(on, [accountId, hashes, askedBy, id]);
};

/** The keyed hashes by which the person is recognised; of a visitor who asks, those of the leads alone. */
const hashesOfPerson = async (
  on: PoolClient,
  contacts: ContactCipher,
  { accountId, clientIds, leadIds, emailKeys, leadReference }: FoundPerson,
  askedBy: ErasureAsker,
): Promise<string[]> => {
  const leads = await readLeads(on, [accountId, leadIds]);
  const leadReferences = [leadReference, ...leads.map(({ reference }) => reference)].filter(isKnown);
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  if (!keys) return [];
  if (askedBy === 'visitor') return personHashes(keys, { leadReferences });
  const clients = await readClients(on, [accountId, clientIds]);
  const phones = clients.map(({ lead_reference: reference, contact, data_key: dataKey }) => {
    const owner = contactOfClient(accountId, reference);
    return contacts.decrypt({ accountId, owner, dataKey, contact }).phone;
  });
  return personHashes(keys, { emails: emailKeys, phoneNumbers: phones.filter(isKnown), leadReferences });
};

// what is not worked on yet is not worked on any more: the shop keeps it
const emptySourceEvents = statement(
  `update source_event
   set content = null, fetched = null, person_hashes = null, finished_at = coalesce(finished_at, clock_timestamp()),
       outcome = coalesce(outcome, 'ignored'), reason = coalesce(reason, 'person-erased')
   where id = any(array(
     select id from source_event
     where account_id = $1 and person_hashes && $2::text[]
       and (not $4 or source_id in (select id from source where account_id = $1 and is_test))
     union
     select e.id from conversion v join source_event e on e.conversion_id = v.id and e.account_id = v.account_id
     where v.account_id = $1 and v.client_id = any($3) and e.content is not null))
   returning 1`,
);

/** Empties what shops have sent of the person. Returns how many messages. */
const eraseFromSources = async (
  on: PoolClient,
  { accountId, clientIds, isTest }: FoundPerson,
  hashes: readonly string[],
): Promise<number> => (await emptySourceEvents(on, [accountId, hashes, clientIds, isTest])).length;

/** An erased person that an account may register again; named by exactly one of the three. */
interface PersonToAllow {
  readonly accountId: AccountId;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** As the refusal names it. */
  readonly erasureId?: string | undefined;
  /** For the audit log. */
  readonly actor: string;
}

// An erasure is of one person: all that it suppresses is allowed, so that the person is not refused by phone number after
// it was allowed by email.
const allow = statement<{ erasure_id: string }>(
  `update erased_key k set allowed_at = now()
   where k.account_id = $1 and k.allowed_at is null and k.asked_by <> 'visitor'
     and k.erasure_id in (
       select erasure_id from erased_key where account_id = $1 and hash = any($2)
       union select $3::text where $3::text is not null)
   returning k.erasure_id`,
);

/**
 * Lets an account register an erased person again, with an entry in the audit log for each erasure. Again, it changes
 * nothing. Returns the ids of these erasures.
 */
export const allowPerson = (
  on: Pool | PoolClient,
  contacts: ContactCipher,
  { accountId, email, phoneNumber, erasureId, actor }: PersonToAllow,
): Promise<string[]> =>
  transaction(on, async (tx) => {
    const { keys } = (await contacts.ofAccounts(tx, [accountId]))(accountId);
    const marks = {
      emails: email === undefined ? [] : [email],
      phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    };
    const rows = await allow(tx, [accountId, keys ? personHashes(keys, marks) : [], erasureId ?? null]);
    const ids = [...new Set(rows.map((row) => row.erasure_id))].toSorted();
    for (const id of ids) await audit(tx, { actor, action: 'client.allow', accountId, target: `erasure ${id}` });
    return ids;
  });

interface FoundRow {
  readonly import_id: number;
  readonly line: number;
  /** Of a row that only JavaScript can compare: with letters beyond ASCII, or more than one address. */
  readonly unusual_email: string | null;
}

const cell = (column: string) => `cleaned(r.cells ->> (array_position(i.columns, ${column}) - 1))`;
const reference = cell(`case i.subject when 'client' then 'externalReference' else 'clientExternalReference' end`);

// A row with the lead of the person and another email is about somebody else, as such a client is, unless the lead itself
// is to be erased.
const findImported = statement<FoundRow>(
  `with marked as (
     select import_id, line from import_row
     where email_mark = any(array(
       select import_mark($1, 'email', email) from unnest($2::text[]) email
       union select import_mark($1, 'unusual', 'email') where cardinality($2::text[]) > 0))
     union
     select import_id, line from import_row
     where reference_mark = any(array(select import_mark($1, 'reference', named) from unnest($3::text[]) named))
     union
     select import_id, line from import_row
     where lead_mark = any(array(
       select import_mark($1, 'lead', named) from unnest($5::text[] || $6::text[] || $7::text) named where named is not null))
     union
     select import_id, line from import_row
     where record_id = any($4::bigint[] || array(select id from conversion where account_id = $1 and client_id = any($4)))
   )
   select r.import_id, r.line, case when not f.is_certain then c.email end as unusual_email
   from marked m
   join import i on i.id = m.import_id
   join import_row r on r.import_id = m.import_id and r.line = m.line
   cross join lateral (
     select nullif(${cell(`'email'`)}, '') as email, nullif(${reference}, '') as reference,
            lead_reference_in(${cell(`'leadReference'`)}) as lead_reference
   ) c
   cross join lateral (
     select
       coalesce(lower(c.email) = any($2), false)
       or coalesce(c.reference = any($3), false)
       or coalesce(c.lead_reference = $7, false)
       or c.email is null and coalesce(c.lead_reference = any($5), false)
       or c.email is null and c.reference is null and coalesce(c.lead_reference = any($6), false)
       or coalesce(r.record_id = any(case i.subject when 'client' then $4::bigint[] else array(
            select id from conversion where account_id = $1 and client_id = any($4)) end), false) as is_certain
   ) f
   where i.account_id = $1 and (i.is_test or not $8)
     and (f.is_certain or cardinality($2::text[]) > 0 and c.email ~ '[^ -~]|[,;<>:]')`,
);

const eraseImported = statement(
  `update import_row r set ${emptiedRow}
   from unnest($1::bigint[], $2::int[]) gone (import_id, line)
   where r.import_id = gone.import_id and r.line = gone.line
   returning 1`,
);

/**
 * Finds the rows of imports that have an email, a reference or the lead of a person, or registered them: by the hashes
 * of what they name.
 */
const findImportedRows = async (on: Queryable, person: FoundPerson): Promise<readonly FoundRow[]> => {
  const { accountId, emailKeys, references, clientIds, isTest } = person;
  const { ownLeadReferences, leadReferences, leadReference } = person;
  const keys = new Set(emailKeys);
  const found = await findImported(on, [
    accountId,
    emailKeys,
    references,
    clientIds,
    ownLeadReferences,
    leadReferences,
    leadReference,
    isTest,
  ]);
  return found.filter(
    ({ unusual_email: email }) => email === null || emailAddressesIn(email).some((one) => keys.has(emailKey(one))),
  );
};

/** Empties these rows. Returns how many. Their imports must be locked. */
const eraseImportedRows = async (on: PoolClient, person: FoundPerson): Promise<number> => {
  const theirs = await findImportedRows(on, person);
  if (theirs.length === 0) return 0;
  const rows = await eraseImported(on, [theirs.map((row) => row.import_id), theirs.map(({ line }) => line)]);
  return rows.length;
};

const eraseListedRows = statement(
  `update reconciliation_row set email_hash = null, contact = null, client_external_reference = null
   where account_id = $1 and (email_hash = any($2) or client_external_reference = any($3))
     and (not $4 or reconciliation_id in (select id from reconciliation where account_id = $1 and is_test))
   returning 1`,
);

// also if they name the client otherwise, as imported rows
const eraseRowsOfConversions = statement(
  `update reconciliation_row r set email_hash = null, contact = null, client_external_reference = null
   from conversion v, reconciliation n
   where v.account_id = $1 and v.client_id = any($2) and n.account_id = $1 and r.reconciliation_id = n.id
     and r.external_reference = coalesce(v.external_reference, v.test_reference) and r.conversion_id = v.id
     and num_nonnulls(r.email_hash, r.client_external_reference) > 0
   returning 1`,
);

/** Erases the person from rows of reconciled lists that name it or have its conversions. Returns how many rows. */
const eraseRowsOfLists = async (on: PoolClient, person: FoundPerson): Promise<number> => {
  const { accountId, emailHashes, references, clientIds, isTest } = person;
  const named = await eraseListedRows(on, [accountId, emailHashes, references, isTest]);
  const ofConversions = await eraseRowsOfConversions(on, [accountId, clientIds]);
  return named.length + ofConversions.length;
};

const findTraces = statement<{ trace_parent: string }>(
  'select trace_parent from lead where id = any($2) and account_id = $1 and trace_parent is not null',
);

// the records stay: without them, a repeated request would register the person again
const eraseTraces = statement(
  `update idempotency_record set answer = answer - 'traceParent'
   where account_id = $1 and answer ->> 'traceParent' = any($2)`,
);

/**
 * Erases the traces of these visits from the responses that are stored for repeated requests. If there are any, it reads
 * all responses of the account, of one day.
 */
const eraseStoredTraces = async (on: PoolClient, { accountId, leadIds }: FoundPerson): Promise<void> => {
  const traces = await findTraces(on, [accountId, leadIds]);
  if (traces.length > 0) await eraseTraces(on, [accountId, traces.map(({ trace_parent: trace }) => trace)]);
};

/** Whether the person was found. Erased persons are not found again. */
export const isAnyoneErased = ({
  clientIds,
  leads,
  importedRows,
  listedRows,
  sourceMessages = 0,
}: ErasedPerson): boolean => clientIds.length + leads + importedRows + listedRows + sourceMessages > 0;

interface ErasureInProgress {
  readonly id: string;
  /** Whether a visitor's has waited long enough for imports with rows of the person; until then, it holds up none. */
  readonly hasWaitedForImports: boolean;
}

/** Rows of the person are being imported, and this erasure may not hold up the import. */
export class WaitsForImport extends Error {
  override readonly name = 'WaitsForImport';
}

const findOpenImports = statement<{ id: number }>(
  'select id from import where account_id = $1 and id = any($2) and finished_at is null limit 1',
);

// An api that has read rows of an import registers them from memory: what it registers must be found, and it must not
// read rows that are erased here. Apis pass over locked imports. The rows of a dry run may be copied, to register them.
const lockOpenImports = statement(
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

// in the order of their ids, as where they are registered
const lockedOf = (table: 'client' | 'lead') =>
  `array(select id from ${table} where account_id = $1 and id = any($2) order by id for update)`;

const eraseClients = statement<{ id: number }>(
  `update client
   set email_hash = null, test_email_hash = null, contact = null, external_reference = null, test_reference = null,
       trace_parent = null, ad_user_data = null, ad_user_data_at = null, ad_personalization = null, ad_personalization_at = null
   where id = any(${lockedOf('client')}) returning id`,
);

// names of what was sold may be those of people; in the order of their ids, as where they are adjusted
const eraseItems = statement(
  `update conversion set items = null
   where id = any(array(
     select id from conversion where account_id = $1 and client_id = any($2) and items is not null order by id for no key update))`,
);

const eraseLeads = statement<{ id: number }>(`select id from strip_leads(${lockedOf('lead')}) id`);

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
  contacts: ContactCipher,
  person: PersonToErase | ProvenLead,
  asked: ErasureInProgress,
): Promise<ErasedPerson> => {
  const { accountId } = person;
  await lockImportsOf(on, await findPerson(on, contacts, person), 'decidedBy' in person || asked.hasWaitedForImports);
  // again: a locked import may have registered more of the person
  const found = await findPerson(on, contacts, person);
  const importedRows = await eraseImportedRows(on, found);
  const listedRows = await eraseRowsOfLists(on, found);
  await eraseStoredTraces(on, found);
  const askedBy = 'decidedBy' in person ? person.decidedBy : 'visitor';
  // before the lock of the account: a message that is being worked on is waited for
  const early = await eraseFromSources(on, found, await hashesOfPerson(on, contacts, found, askedBy));
  await eraseAlone(on, accountId);
  // again: a request may have registered the person meanwhile
  const left = await findPerson(on, contacts, person);
  const { clientIds, leadIds } = left;
  const hashes = await hashesOfPerson(on, contacts, left, askedBy);
  if (!left.isTest) await keepErasedKeys(on, left, hashes, { id: asked.id, askedBy });
  const sourceMessages = early + (await eraseFromSources(on, left, hashes));
  const clients = await eraseClients(on, [accountId, clientIds]);
  await eraseItems(on, [accountId, clientIds]);
  const leads = await eraseLeads(on, [accountId, leadIds]);
  const ofSources = sourceMessages > 0 && { sourceMessages };
  const counts = { leads: leads.length, importedRows, listedRows, ...ofSources };
  return {
    clientIds: clients.map(({ id }) => id),
    ...counts,
    ...(left.leavesClients && { leavesClients: true }),
    ...(askedBy === 'visitor' && clients.length > 0 && { leavesEmails: true }),
  };
};

const findResponses = statement<{ id: number }>(`select id from delivery where ${isOfClients}`);

const eraseFound = statement(
  'update delivery_attempt set answer = null where delivery_id = any($1::bigint[]) and answer is not null',
);

/** Erases what platforms responded to deliveries of these clients: a platform may quote what it was told. */
export const eraseResponses = async (
  on: PoolClient,
  accountId: number,
  clientIds: readonly number[],
): Promise<void> => {
  const deliveries = await findResponses(on, [accountId, clientIds]);
  if (deliveries.length > 0) await eraseFound(on, [deliveries.map(({ id }) => id)]);
};

/** What an erasure would erase now, and keep. */
interface CountedPerson extends Kept {
  readonly liveClients: number;
  readonly testClients: number;
  readonly leads: number;
  /** Null: there are too many to count in time; the erasure reads them all. */
  readonly importedRows: number | null;
}

const countImportedRows = async (pool: Pool, found: FoundPerson): Promise<number | null> => {
  try {
    return (await findImportedRows(pool, found)).length;
  } catch (error) {
    if (isStatementTimeout(error) || isQueryTimeout(error) || isLockTimeout(error)) return null;
    throw error;
  }
};

/** Changes nothing. */
export const countPerson = async (
  pool: Pool,
  contacts: ContactCipher,
  person: PersonToErase,
): Promise<CountedPerson> => {
  const found = await findPerson(pool, contacts, person);
  const { accountId, clientIds, testClients, leadIds } = found;
  return {
    liveClients: clientIds.length - testClients,
    testClients,
    leads: leadIds.length,
    importedRows: await countImportedRows(pool, found),
    ...(await countKept(pool, accountId, clientIds)),
  };
};
