import type { AccountId, ErasureAsker, ErasureDecider, ErasureWay } from '@leadback/domain';
import {
  type ContactCipher,
  contactCipher,
  type PoolClient,
  statement,
  transaction,
  type Pool,
  isDatabaseUnavailable,
} from '@leadback/db';
import { type Keys, type ReceiptSigner, receiptSigner, type SecretsKeys } from '@leadback/domain/keys';
import { audit } from '../audit.ts';
import { z } from 'zod';
import {
  decryptPending,
  encryptErased,
  type ErasedPerson,
  erasureKeys,
  type ErasureSubject,
  askErasure,
  type ErasureToAsk,
  leaveClientsToAccount,
  leaveToAccount,
} from './ask/ask-erasure.ts';
import { failureOf, workOnNext } from '../work-queue.ts';
import { erasePerson, isAnyoneErased, WaitsForImport, eraseResponses } from './erase-person.ts';
import {
  type PersonToErase,
  type Kept as KeptRows,
  countKept,
  type ReceivingPlatform,
  findReceivingPlatforms,
  type ProvenLead,
  proveLead,
} from './find-person.ts';
import type { KeptThing, Receipt } from './ask/receipt.ts';

/** A pending erasure, locked by the transaction that performs it. */
interface PendingErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly actor: string;
  readonly isTest: boolean;
  /** Who decided, if a visitor asked without proving it all. */
  readonly confirmedBy: ErasureDecider | null;
  readonly way: ErasureWay | null;
  readonly network: string | null;
  readonly requestedAt: Date;
  readonly subject: Buffer;
  readonly hasWaitedForImports: boolean;
}

/** What a statement returns of one. */
const pendingColumns = `id, account_id as "accountId", asked_by as "askedBy", actor, is_test as "isTest", confirmed_by as "confirmedBy", way, network,
          requested_at as "requestedAt", subject, requested_at < now() - interval '1 day' as "hasWaitedForImports"`;

export interface ErasureTools {
  readonly keys: Keys;
  readonly signer: ReceiptSigner;
  readonly contacts: ContactCipher;
  /** For how long backups may have what was erased. */
  readonly backupsKeptDays: number;
}

export const erasureTools = (secretsKeys: SecretsKeys, backupsKeptDays: number): ErasureTools => ({
  keys: erasureKeys(secretsKeys),
  signer: receiptSigner(secretsKeys),
  contacts: contactCipher(secretsKeys),
  backupsKeptDays,
});

// due later: the process that has erased the person makes the receipt, and another one if it has died
const keepErased = statement<{ id: string }>(
  `update erasure
   set subject = $2, way = $3, failures = 0, due_at = clock_timestamp() + interval '1 minute', erased_at = clock_timestamp(),
       tried_at = clock_timestamp(),
       subject_hash = case when named_by = 'lead' then subject_hash end
   where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') returning id`,
);

/** Whom an erasure is about: who decides is the account, or the browser that proves to have left the lead. */
const whomOf = async (
  on: PoolClient,
  { accountId, askedBy, confirmedBy, isTest }: PendingErasure,
  { proof, ...subject }: ErasureSubject,
): Promise<PersonToErase | ProvenLead | undefined> => {
  if (askedBy !== 'visitor') return { accountId, decidedBy: askedBy, isTest, ...subject };
  const { leadReference } = subject;
  if (leadReference === undefined) throw new Error('visitors name leads');
  if (confirmedBy !== null) return { accountId, decidedBy: confirmedBy, leadReference };
  return proof === undefined ? undefined : proveLead(on, { accountId, leadReference, proof });
};

/**
 * Erases the person, in the transaction of `on`, which must have locked the erasure. What was erased takes the place of
 * the person: after the commit nobody can find the clients by it, and `completeErasure` counts what they leave. Does
 * nothing if it was erased before. Returns what was erased: nothing, if nobody was found. `asked`: a visitor without proof
 * asked, and the account decides.
 */
const performErasure = async (
  on: PoolClient,
  erasure: PendingErasure,
  { keys, contacts }: ErasureTools,
): Promise<ErasedPerson | 'asked'> => {
  const { id, accountId, askedBy, confirmedBy, subject } = erasure;
  const pending = decryptPending(keys, accountId, subject);
  if ('erased' in pending) return pending.erased;
  const whom = await whomOf(on, erasure, pending.subject);
  const { leadReference = '' } = pending.subject;
  if (whom === undefined) {
    await leaveToAccount(on, keys, { id, accountId, leadReference });
    return 'asked';
  }
  const erased = await erasePerson(on, contacts, whom, erasure);
  const way = askedBy === 'visitor' && confirmedBy === null ? 'cookie' : erasure.way;
  const kept = await keepErased(on, [id, encryptErased(keys, accountId, erased), way]);
  if (kept.length === 0) throw new Error('the erasure is not pending');
  if (erased.leavesClients) await leaveClientsToAccount(on, keys, { id, accountId, leadReference });
  return erased;
};

const readPending = statement<PendingErasure>(
  `select ${pendingColumns}
   from erasure where id = $1 for update`,
);

/**
 * Asks for an erasure and erases the person in the same transaction. After its commit, `completeErasure` makes the
 * receipt; if it does not, an api makes it a minute later. Returns its id and what was erased.
 */
export const performAtOnce = async (
  on: PoolClient,
  toAsk: ErasureToAsk,
  tools: ErasureTools,
): Promise<{ readonly id: string; readonly erased: ErasedPerson }> => {
  const id = await askErasure(on, tools.keys, toAsk);
  const [asked] = await readPending(on, [id]);
  if (!asked) throw new Error('the erasure was not stored');
  const erased = await performErasure(on, asked, tools);
  if (erased === 'asked') throw new Error('a visitor asked');
  return { id, erased };
};

const dayMs = 86_400_000;

interface ErasureFacts {
  readonly id: string;
  readonly installation: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly isTest: boolean;
  readonly requestedAt: Date;
  readonly finishedAt: Date;
  readonly backupsKeptDays: number;
}

/** What was erased, what is kept, and what platforms were told. */
interface ErasureResult extends ErasedPerson, KeptRows {
  readonly platformsTold: readonly ReceivingPlatform[];
}

type Kept = Receipt['kept'][number];

const reasons: Readonly<Record<KeptThing, string>> = {
  clients:
    'several clients were registered from this lead, who may be several persons: the account is asked whom of them to erase',
  emailsInFiles:
    'rows of files and lists that name only an email, which may be of another person; the account erases them by the email, or its operator deletes the files',
  conversions: 'records of sales: amount, currency, time and order number; they name the erased client no more',
  leads: 'page, campaign (utm), consent and time of the visit, under which sales are counted, and the lead reference',
  deliveries: 'which platform was told of which sale, when, and with which outcome; what it responded is erased',
  webhookLog:
    'what was sent to webhooks of the account (ids and states), and what its own servers responded; deleted as its operator sets',
  metrics: 'sums by day, page and campaign',
  recognition:
    'keyed hashes of emails, phone numbers and leads, which tell only whether a late visit or a new client is the erased person',
  idempotencyKeys:
    'chosen by the programs of the account; a repeated request registers nobody again; deleted within 24 hours',
  auditLog: 'that an erasure took place, when, and who asked for it; not whom it was about',
};

const counted = (what: KeptThing, count: number): Kept[] => (count > 0 ? [{ what, count, why: reasons[what] }] : []);
const plain = (what: KeptThing, isKept: boolean): Kept[] => (isKept ? [{ what, why: reasons[what] }] : []);

const keptOf = (
  {
    clientIds: { length: clients },
    leads,
    leavesClients = false,
    leavesEmails = false,
    conversions,
    platformsTold,
    pendingDeliveries,
  }: ErasureResult,
  { isTest }: ErasureFacts,
): Kept[] => [
  ...plain('clients', leavesClients),
  ...plain('emailsInFiles', leavesEmails),
  ...counted('conversions', conversions),
  ...counted('leads', leads),
  ...plain('deliveries', platformsTold.length > 0 || pendingDeliveries > 0),
  ...plain('webhookLog', clients > 0),
  ...plain('metrics', clients + leads > 0),
  ...plain('recognition', !isTest),
  ...plain('idempotencyKeys', clients > 0),
  ...plain('auditLog', true),
];

const notReachedOf = (erased: ErasureResult, { finishedAt, backupsKeptDays }: ErasureFacts): Receipt['notReached'] => {
  if (!isAnyoneErased(erased)) return [];
  const until = new Date(finishedAt.getTime() + backupsKeptDays * dayMs).toISOString().slice(0, 10);
  const backups = { what: 'backups' as const, until, why: 'they cannot be changed; they are deleted by this day' };
  const why = 'they keep what they were told: the account asks each of them to erase it';
  return erased.platformsTold.length > 0 ? [backups, { what: 'platforms', why }] : [backups];
};

/** The receipt of an erasure. */
const makeReceipt = (erased: ErasureResult, facts: ErasureFacts): Receipt => ({
  version: 1,
  id: facts.id,
  installation: facts.installation,
  accountId: facts.accountId,
  askedBy: facts.askedBy,
  isTest: facts.isTest,
  requestedAt: facts.requestedAt.toISOString(),
  finishedAt: facts.finishedAt.toISOString(),
  erased: {
    clients: erased.clientIds.length,
    leads: erased.leads,
    importedRows: erased.importedRows,
    listedRows: erased.listedRows,
  },
  kept: keptOf(erased, facts),
  platformsTold: erased.platformsTold.map(({ lastAt, ...told }) => ({ ...told, lastAt: lastAt.toISOString() })),
  pendingSkipped: erased.pendingDeliveries,
  notReached: notReachedOf(erased, facts),
});

/** In the audit log. */
const erasureAction = 'client.erase';

const readCompleted = statement<PendingErasure>(
  `select ${pendingColumns}
   from erasure where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') for update`,
);

const readFacts = statement<{ installation: string; finishedAt: Date }>(
  'select id as installation, clock_timestamp() as "finishedAt" from installation',
);

const keepKey = statement('insert into receipt_key (id, public_key) values ($1, $2) on conflict do nothing');

// `state = 'pending'` may read the index of what is pending instead
const finish = statement(
  `update erasure
   set state = 'done', subject = null, finished_at = $2, receipt = $3, signature = $4, key_id = $5
   where id = $1`,
);

/** Behind a pooler, the session has the settings of the other statements of the role. */
const unhurried = 'set local statement_timeout = 0; set local lock_timeout = 0';

/**
 * Counts what erased clients leave, erases what platforms responded, signs the receipt and adds an audit entry that does
 * not name the person. In a transaction after that of the erasure, so that nothing that the account registers waits for
 * it. The receipt misses no delivery of before: their outcomes are committed by now, or they are still pending.
 * Undefined if another process has completed it.
 */
export const completeErasure = (
  pool: Pool,
  id: string,
  { keys, signer, backupsKeptDays }: ErasureTools,
): Promise<ErasureResult | undefined> =>
  transaction(pool, async (on) => {
    await on.query(unhurried);
    const [erasure] = await readCompleted(on, [id]);
    if (!erasure) return undefined;
    const { accountId, askedBy, actor, way, network } = erasure;
    const pending = decryptPending(keys, accountId, erasure.subject);
    if (!('erased' in pending)) throw new Error('the person is not erased yet');
    const { clientIds } = pending.erased;
    await eraseResponses(on, accountId, clientIds);
    const kept = await countKept(on, accountId, clientIds);
    // after what is pending was counted: a delivery that is made meanwhile is told twice, and not missed
    const platformsTold = await findReceivingPlatforms(on, accountId, clientIds);
    const result = { ...pending.erased, ...kept, platformsTold };
    const [facts] = await readFacts(on, []);
    if (!facts) throw new Error('the database has no installation');
    const receipt = makeReceipt(result, { ...erasure, ...facts, backupsKeptDays });
    const text = JSON.stringify(receipt);
    await keepKey(on, [signer.id, signer.publicKey]);
    await finish(on, [id, facts.finishedAt, text, signer.sign(text), signer.id]);
    const details = {
      ...receipt.erased,
      conversions: kept.conversions,
      pendingDeliveries: kept.pendingDeliveries,
      askedBy,
      ...(way && { way, network }),
    };
    await audit(on, { actor, action: erasureAction, accountId, target: `erasure ${id}`, details });
    return result;
  });

/** What happened to the erasure that was due. */
export type ErasureStep = { readonly id: string; readonly accountId: AccountId; readonly askedBy: ErasureAsker } & (
  | { readonly outcome: 'done'; readonly isAnyoneErased: boolean }
  | { readonly outcome: 'asked' }
  | { readonly outcome: 'retry' | 'failed'; readonly error: unknown }
);

/**
 * How many erasures of visitors are performed in an account within an hour, and how many of those that one network asked for;
 * the others wait, and hold up nobody.
 */
export const visitorErasuresPerHour = 200;
export const networkErasuresPerHour = 50;

interface Turn {
  readonly accountId: AccountId;
  readonly isOfVisitor: boolean;
}

const ofVisitor = `asked_by = 'visitor' and confirmed_by is null and erased_at is null`;
const ofOthers = `(asked_by <> 'visitor' or confirmed_by is not null or erased_at is not null)`;

/** SQL: the accounts with such erasures, each found by one step in the index. */
const accountsWith = (name: string, which: string): string => `${name} as (
     select 0::bigint as account_id
     union all
     select (select e.account_id from erasure e
             where e.state = 'pending' and ${which} and e.account_id > ${name}.account_id order by e.account_id limit 1)
     from ${name} where ${name}.account_id is not null
   )`;

/** SQL: those of visitors of an account that had their turn within the hour. */
const triedOf = (account: string) =>
  `from erasure e where e.account_id = ${account} and e.tried_at > now() - interval '1 hour' and e.asked_by = 'visitor'
     and e.confirmed_by is null`;

const isDue = (which: string) =>
  `exists (select from erasure e where e.state = 'pending' and ${which} and e.account_id = a.account_id and e.due_at <= now())`;

// Those of visitors come last. Among accounts, the one that waits longest since its last turn has the next. Several apis may perform
// some more than the limit.
const readTurns = statement<Turn>(
  `with recursive ${accountsWith('others', ofOthers)}, ${accountsWith('visitors', ofVisitor)}
   select a.account_id as "accountId", a.is_of_visitor as "isOfVisitor"
   from (
     select a.account_id, false as is_of_visitor from others a where a.account_id is not null and ${isDue(ofOthers)}
     union all
     select a.account_id, true from visitors a
     where a.account_id is not null and ${isDue(ofVisitor)}
       and (select count(*) ${triedOf('a.account_id')}) < $1
   ) a
   order by a.is_of_visitor,
     (select tried_at from erasure where account_id = a.account_id and tried_at is not null order by tried_at desc limit 1)
       nulls first,
     a.account_id`,
);

const takeOfOthers = statement<PendingErasure>(
  `select ${pendingColumns}
   from erasure where state = 'pending' and ${ofOthers} and account_id = $1 and due_at <= now()
   order by due_at limit 1 for update skip locked`,
);

// Networks take turns: first comes the one with the fewest turns within the hour, of several the one that waits for fewest.
const takeOfVisitor = statement<PendingErasure>(
  `with due as (
     select id, network, due_at, row_number() over (partition by network order by due_at, id) as place,
            count(*) over (partition by network) as waiting
     from erasure where state = 'pending' and ${ofVisitor} and account_id = $1 and due_at <= now()
   ), had as (select network, count(*) as turns ${triedOf('$1')} group by network)
   select ${pendingColumns}
   from erasure
   join (select due.id as due_id, place + coalesce(turns, 0) as turn, waiting
         from due left join had on had.network is not distinct from due.network
         where coalesce(turns, 0) < $2) next on due_id = id
   where state = 'pending' and ${ofVisitor} and account_id = $1
   order by turn, waiting, due_at limit 1 for update of erasure skip locked`,
);

const take = async (on: PoolClient): Promise<PendingErasure | undefined> => {
  for (const { accountId, isOfVisitor } of await readTurns(on, [visitorErasuresPerHour])) {
    const [taken] = isOfVisitor
      ? await takeOfVisitor(on, [accountId, networkErasuresPerHour])
      : await takeOfOthers(on, [accountId]);
    if (taken) return taken;
  }
  return undefined;
};

const waitForImport = statement(
  `update erasure set due_at = now() + interval '1 minute', tried_at = now() where id = $1 and state = 'pending'`,
);

// One that is given up names the person no more. One that has erased the person never ends without its receipt: asked for
// again, it would find nobody, and say that no platform was told.
const noteFailure = failureOf({
  table: 'erasure',
  isOpen: `state = 'pending'`,
  // with the pauses: after about eight hours
  triesMax: 20,
  pauseMaxSeconds: 3_600,
  givenUp: { state: `'failed'`, finished_at: 'now()', subject: 'null', subject_hash: 'null' },
  mayEnd: 'erased_at is null',
  withEach: 'tried_at = now()',
});

/** Erases the person, unless a visitor asked without proof, or an import of the person is in progress. */
const performTaken = async (on: PoolClient, erasure: PendingErasure, tools: ErasureTools) => {
  await on.query(unhurried);
  try {
    return (await performErasure(on, erasure, tools)) === 'asked' ? 'asked' : 'erased';
  } catch (error) {
    if (!(error instanceof WaitsForImport)) throw error;
    await waitForImport(on, [erasure.id]);
    return 'waits';
  }
};

/**
 * Performs the next erasure: accounts take turns, in each the one that has been due longest, those of visitors after all
 * others, among whom networks take turns. Erases the person in one transaction, and counts for the receipt in the
 * next, which holds up nothing. A process that is killed in the first changes nothing, and the next one performs it; of one
 * that is killed in the second, another counts again. Undefined if none is due. Throws if PostgreSQL is unavailable; after
 * any other error the erasure is tried again later. One of a visitor whose rows are being imported waits for the import, a
 * day at most, and the next one is performed. `pool`: without a limit on the time of statements.
 */
export const performNextErasure = async (pool: Pool, tools: ErasureTools): Promise<ErasureStep | undefined> => {
  const worked = await workOnNext(pool, { take, work: (on, erasure) => performTaken(on, erasure, tools), noteFailure });
  if (!worked) return undefined;
  const { id, accountId, askedBy } = worked.row;
  const about = { id, accountId, askedBy };
  if ('error' in worked) return { ...about, outcome: worked.isGivenUp ? 'failed' : 'retry', error: worked.error };
  if (worked.result === 'waits') return performNextErasure(pool, tools);
  if (worked.result === 'asked') return { ...about, outcome: 'asked' };
  try {
    const result = await completeErasure(pool, id, tools);
    // another process has completed it meanwhile
    return result && { ...about, outcome: 'done', isAnyoneErased: isAnyoneErased(result) };
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return (await noteFailure(pool, id, error)) && { ...about, outcome: 'retry', error };
  }
};

/** Settings of the apps that perform erasures. */
export const erasureSettings = {
  BACKUPS_KEPT_DAYS: z.coerce.number().int().min(0).max(36_500).default(30).meta({
    description: 'For how many days you keep backups: receipts of erasures name this period',
    isUsual: true,
  }),
};
