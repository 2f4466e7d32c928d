import {
  type AccountId,
  type AccountMode,
  emailAddressSchema,
  emailKey,
  type ErasureAsker,
  type ErasureName,
  erasuresPerKeyAndDay,
  optionalLeadReferenceSchema,
  optionalReference,
  Refusal,
  askedErasureDays,
  type ErasureDecider,
  type ErasureWay,
} from '@leadback/domain';
import {
  decrypt,
  keyedCheck,
  keysFor,
  encrypt,
  type Keys,
  type SecretsKeys,
  randomBase62,
} from '@leadback/domain/keys';
import { z } from 'zod';
import { type Pool, type Queryable, statement, type PoolClient } from '@leadback/db';
import { onceEach } from '../../once.ts';

const subjectSchema = z.object({
  email: z.string().optional(),
  /** Of a live client, a test client, or both. */
  externalReference: z.string().optional(),
  leadReference: z.string().optional(),
  /** Of a visitor: what proves that the browser has left the lead. */
  proof: z.string().optional(),
});

/** Whom to erase. Exactly one of the first three is given. */
export type ErasureSubject = Readonly<z.output<typeof subjectSchema>>;

const count = z.int().min(0);

const erasedPersonSchema = z.object({
  clientIds: z.array(z.int()),
  leads: count,
  /** Emptied rows of imported files. */
  importedRows: count,
  /** Rows of reconciled lists that name the person no more. */
  listedRows: count,
  /** Emptied messages of shops. Undefined: a version counted that knew none. */
  sourceMessages: count.optional(),
  /** Whether clients of the lead are left, because they may be several persons. */
  leavesClients: z.boolean().optional(),
  /** Whether rows of files are left that name no more than the email of a client, which anybody may have typed. */
  leavesEmails: z.boolean().optional(),
});

/** What an erasure erased. Nobody is recognised by it. */
export type ErasedPerson = Readonly<z.output<typeof erasedPersonSchema>>;

// an array: a version that does not know it fails, and does not take it for a person whom nobody is
const pendingSchema = z.union([z.tuple([z.literal('erased'), erasedPersonSchema]), subjectSchema]);

export const erasureKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'erasure');

const ownerOf = (accountId: AccountId): string => `erasure in account ${accountId}`;

/** By what the person is named. */
const nameOf = ({ email, externalReference }: ErasureSubject): ErasureName => {
  if (email !== undefined) return 'email';
  return externalReference === undefined ? 'lead' : 'reference';
};

const hashLength = 22;

/**
 * By which another erasure of the same person in the same account is found; the person cannot be guessed from it. That of a
 * lead with a proof is another: a stranger with the reference alone cannot be in the way of the browser that left
 * the lead.
 */
const subjectHash = (keys: Keys, accountId: AccountId, subject: ErasureSubject): string => {
  const { email, externalReference, leadReference, proof } = subject;
  const named = email === undefined ? (externalReference ?? leadReference ?? '') : emailKey(email);
  return keyedCheck(
    keys,
    `${ownerOf(accountId)} of ${proof === undefined ? '' : 'proven '}${nameOf(subject)} ${named}`,
    hashLength,
  );
};

/** A row of an erasure keeps the person encrypted, and only until it has ended. */
export const encryptSubject = (keys: Keys, accountId: AccountId, subject: ErasureSubject): Buffer =>
  encrypt(keys, ownerOf(accountId), subject);

/** Throws if none of the keys fits. */
export const decryptSubject = (keys: Keys, accountId: AccountId, encrypted: Buffer): ErasureSubject =>
  subjectSchema.parse(decrypt(keys, ownerOf(accountId), encrypted));

/** Replaces the person in the row of an erasure that has erased it, until it has its receipt. */
export const encryptErased = (keys: Keys, accountId: AccountId, erased: ErasedPerson): Buffer =>
  encrypt(keys, ownerOf(accountId), ['erased', erased]);

/** Of a pending erasure: whom to erase, or what was erased already. Throws if none of the keys fits. */
export const decryptPending = (
  keys: Keys,
  accountId: AccountId,
  encrypted: Buffer,
): { readonly subject: ErasureSubject } | { readonly erased: ErasedPerson } => {
  const pending = pendingSchema.parse(decrypt(keys, ownerOf(accountId), encrypted));
  return Array.isArray(pending) ? { erased: pending[1] } : { subject: pending };
};

const idLength = 22;
const networkLength = 12;

export interface ErasureToAsk {
  /** Names the erasure, so that it can be asked for again: 22 random characters of [0-9A-Za-z]. Missing: a new id. */
  readonly id?: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  /** For the audit log: `visitor`, an API key, or a person. */
  readonly actor: string;
  /** Erases test clients alone. */
  readonly isTest?: boolean;
  readonly subject: ErasureSubject;
  /** Of a visitor: see `networkHash`. */
  readonly network?: string;
}

/** Tells whether two erasures come from the same network, and not from which. */
export const networkHash = (keys: Keys, network: string): string =>
  keyedCheck(keys, `network ${network}`, networkLength);

/**
 * How many erasures from one network may be open in an account: of browsers that left their lead, until they are performed; of
 * others, also while they wait for the account.
 */
export const openErasuresPerNetwork = 20;

/** A network has asked for too many erasures in an account. */
export class TooManyErasures extends Error {
  constructor() {
    super('too many erasures from this network are open');
  }
}

// landing may not read all columns; those who ask at the same time may exceed the limit by as many
const ask = statement<{ id: string | null; hasRoom: boolean }>(
  `with room as (
     select $9::text is null or count(*) < $11 as is_left
     from (select from erasure
           where account_id = $2 and asked_by = 'visitor' and finished_at is null and erased_at is null and network = $9
             and confirmed_by is null and (state = 'pending' or (state = 'asked' and way = 'reference' and not $10::boolean))
           limit $11) open
   ), asked as (
     insert into erasure (id, account_id, asked_by, actor, is_test, named_by, subject, subject_hash, network)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9 from room where is_left
     on conflict do nothing returning id
   )
   select (select id from asked) as id, is_left as "hasRoom" from room`,
);

const findOpen = statement<{ id: string; isOfVisitor: boolean }>(
  `select id, asked_by = 'visitor' and confirmed_by is null as "isOfVisitor" from erasure
   where account_id = $1 and is_test = $2 and subject_hash = $3 and finished_at is null and erased_at is null
   union all
   select id, false from erasure where id = $4
   limit 1`,
);

// The account decides. Waits for a visitor's erasure that is being performed: the person may be registered again before the
// next one.
const takeOver = statement<{ id: string }>(
  `update erasure set confirmed_by = $2, actor = $3, state = 'pending', due_at = now(), decided_at = now()
   where id = $1 and asked_by = 'visitor' and confirmed_by is null and finished_at is null and erased_at is null returning id`,
);

// its end is `client.erase`
const note = statement(
  `insert into audit_entry (actor, action, account_id, target) values ($1, 'client.erase-asked', $2, $3)`,
);

const findErased = statement<{ id: string }>(
  `select id from erasure
   where account_id = $1 and subject_hash = any($2) and not is_test and erased_at is not null and state <> 'failed'
     and (not lead_has_client($1, $3) or exists (
       select from erasure rest
       where rest.account_id = $1 and rest.subject_hash = any($2) and not rest.is_test and rest.way = 'cookie'
         and rest.finished_at is null and rest.erased_at is null))
   order by requested_at desc limit 1`,
);

/**
 * Asks for an erasure; an api performs it within seconds. `keys`: see `erasureKeys`. Returns its id: that of the open
 * erasure of the same person, if there is one, and of the last one of a lead that left nothing to erase, if a visitor
 * asks. An account that asks for what a visitor has asked for takes it over, and so it is performed before those of
 * visitors. What a partner asks for is in the audit log, once for each erasure: call it in a transaction then. Throws `TooManyErasures`.
 */
export const askErasure = async (on: Queryable, keys: Keys, toAsk: ErasureToAsk): Promise<string> => {
  const { id = randomBase62(idLength), accountId, askedBy, actor, isTest = false, subject, network } = toAsk;
  const hash = subjectHash(keys, accountId, subject);
  if (askedBy === 'visitor' && subject.leadReference !== undefined) {
    const { leadReference } = subject;
    const hashes = [hash, subjectHash(keys, accountId, { leadReference })];
    const [erased] = await findErased(on, [accountId, hashes, leadReference]);
    if (erased) return erased.id;
  }
  const named = [nameOf(subject), encryptSubject(keys, accountId, subject), hash, network ?? null];
  const room = [subject.proof !== undefined, openErasuresPerNetwork];
  for (;;) {
    const [asked] = await ask(on, [id, accountId, askedBy, actor, isTest, ...named, ...room]);
    if (asked?.id != null) {
      if (askedBy === 'partner') await note(on, [actor, accountId, `erasure ${id}`]);
      return id;
    }
    const [open] = await findOpen(on, [accountId, isTest, hash, id]);
    if (!open && asked?.hasRoom === false) throw new TooManyErasures();
    // it has ended meanwhile
    if (!open) continue;
    if (!open.isOfVisitor || askedBy === 'visitor') return open.id;
    const [taken] = await takeOver(on, [open.id, askedBy, actor]);
    if (taken) {
      if (askedBy === 'partner') await note(on, [actor, accountId, `erasure ${taken.id}`]);
      return taken.id;
    }
  }
};

/** Whom to erase, as callers name the person. */
export const erasureSchema = z
  .object(
    {
      clientExternalReference: optionalReference(255).meta({ description: 'The `externalReference` of the client.' }),
      email: emailAddressSchema.meta({
        description: 'Everyone with this email, including visitors who only entered it on a landing page.',
      }),
      leadReference: optionalLeadReferenceSchema.meta({
        description: 'The lead, and all clients that were registered from it.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((names) => Object.values(names).filter((name) => name !== undefined).length === 1, {
    path: ['email'],
    message: 'expected exactly one of email, clientExternalReference and leadReference',
  });

type ErasureInput = Partial<Readonly<z.infer<typeof erasureSchema>>>;

interface ErasureCaller extends AccountMode {
  /** For the audit log. */
  readonly actor: string;
}

type NewErasure = ErasureCaller & ErasureInput;

const countOfKey = statement<{ is_over: boolean }>(
  `select count(*) >= $3 as is_over from (
     select from erasure
     where account_id = $1 and actor = $2 and decided_at > now() - interval '1 day' limit $3) asked`,
);

/** Whether a key has confirmed or asked for too many, also of those that visitors had asked for before. */
const isOverLimit = async (on: Queryable, { accountId, actor }: Pick<ErasureCaller, 'accountId' | 'actor'>) =>
  (await countOfKey(on, [accountId, actor, erasuresPerKeyAndDay]))[0]?.is_over === true;

/**
 * Holds the requests that wait to share a transaction. Returns a function that asks for the erasure of a person, and returns
 * its id; of the clients of its mode alone, if that is test. Throws as `onceEach`.
 */
export const erasureAsker = (pool: Pool, keys: Keys) => {
  const askOnce = onceEach(pool, {
    route: ({ isTest }: NewErasure) => (isTest ? 'test erasure' : 'erasure'),
    fingerprinted: (erasure) => ({ ...erasure, actor: undefined, isTest: undefined }),
    needsTransaction: () => true,
    async run(on, asked) {
      const ids: { id: string | null }[] = [];
      for (const { accountId, isTest, actor, clientExternalReference, email, leadReference } of asked) {
        if (await isOverLimit(on, { accountId, actor })) {
          ids.push({ id: null });
          continue;
        }
        const subject = { email, externalReference: clientExternalReference, leadReference };
        ids.push({ id: await askErasure(on, keys, { accountId, isTest, askedBy: 'partner', actor, subject }) });
      }
      return ids;
    },
    // null: too many with this key
    schema: z.object({ id: z.string().nullable() }),
    isFinal: ({ id }) => id !== null,
    accept({ id }) {
      if (id === null) throw new Refusal('rate-limited.erasures');
      return id;
    },
  });
  return async (caller: ErasureCaller, input: ErasureInput, idempotencyKey?: string): Promise<string> => {
    const { result } = await askOnce({ item: { ...caller, ...input }, idempotencyKey });
    return result;
  };
};

const lapse = `clock_timestamp() + ${askedErasureDays} * interval '1 day'`;

const leave = statement(
  `update erasure e
   set state = 'asked', way = 'reference', subject = $2, due_at = ${lapse}, tried_at = clock_timestamp(),
       subject_hash = case when not exists (
         select from erasure o where o.account_id = e.account_id and not o.is_test and o.subject_hash = $3
           and o.finished_at is null and o.erased_at is null and o.id <> $1) then $3 end
   where id = $1`,
);

const leaveRest = statement(
  `insert into erasure (id, account_id, asked_by, actor, named_by, subject, subject_hash, state, way, network, requested_at, due_at)
   select $2, account_id, asked_by, actor, named_by, $3, $4, 'asked', way, network, requested_at, ${lapse}
   from erasure where id = $1
   on conflict do nothing`,
);

interface Asked {
  readonly id: string;
  readonly accountId: AccountId;
  readonly leadReference: string;
}

/** Nothing is erased until the account confirms it: the visitor did not prove to have left the lead. */
export const leaveToAccount = async (
  on: PoolClient,
  keys: Keys,
  { id, accountId, leadReference }: Asked,
): Promise<void> => {
  const subject = { leadReference };
  await leave(on, [id, encryptSubject(keys, accountId, subject), subjectHash(keys, accountId, subject)]);
};

/** The lead is erased; the account decides on its clients, who may be several persons. */
export const leaveClientsToAccount = async (
  on: PoolClient,
  keys: Keys,
  { id, accountId, leadReference }: Asked,
): Promise<void> => {
  const subject = { leadReference };
  const named = [encryptSubject(keys, accountId, subject), subjectHash(keys, accountId, subject)];
  await leaveRest(on, [id, randomBase62(22), ...named]);
};

/** An erasure that a visitor asked for, and that an account may confirm. */
interface WaitingErasure {
  readonly id: string;
  readonly leadReference: string;
  readonly way: ErasureWay;
  readonly requestedAt: Date;
  /** When it lapses. */
  readonly until: Date;
}

const list = statement<Omit<WaitingErasure, 'leadReference'> & { readonly subject: Buffer }>(
  `select id, way, requested_at as "requestedAt", due_at as until, subject from erasure
   where account_id = $1 and asked_by = 'visitor' and finished_at is null and erased_at is null
     and not is_test and state = 'asked' and due_at > now()
   order by way = 'cookie' desc,
     row_number() over (partition by way, network order by requested_at desc, id desc), requested_at desc, id desc
   limit $2`,
);

/** Undefined if none of the keys decrypts it. */
const leadOf = (keys: Keys, accountId: AccountId, subject: Buffer): string | undefined => {
  try {
    return decryptSubject(keys, accountId, subject).leadReference;
  } catch {
    return undefined;
  }
};

/**
 * Those that wait for the account: first of browsers that left their lead; then the newest of each network, so that nobody who
 * knows many lead references fills the list. Not those that none of the keys decrypts.
 */
export const listAskedErasures = async (
  on: Queryable,
  keys: Keys,
  accountId: AccountId,
  max: number,
): Promise<WaitingErasure[]> => {
  const rows = await list(on, [accountId, max]);
  return rows.flatMap(({ subject, ...asked }) => {
    const leadReference = leadOf(keys, accountId, subject);
    return leadReference === undefined ? [] : [{ ...asked, leadReference }];
  });
};

const confirm = statement<{ id: string }>(
  `update erasure set state = 'pending', confirmed_by = $3, actor = $4, due_at = now(), decided_at = now()
   where id = $2 and account_id = $1 and not is_test and state = 'asked' and due_at > now() returning id`,
);

const isConfirmed = statement('select from erasure where id = $2 and account_id = $1 and confirmed_by is not null');

/** Of one account. */
interface ErasureConfirmation {
  readonly accountId: AccountId;
  readonly id: string;
  readonly by: ErasureDecider;
  readonly actor: string;
}

/**
 * The account decides to erase the lead and all its clients; an api performs it. Again, it changes nothing. Returns whether it
 * waited for that.
 */
export const confirmErasure = async (
  on: Queryable,
  { accountId, id, by, actor }: ErasureConfirmation,
): Promise<boolean> => {
  const confirmed = await confirm(on, [accountId, id, by, actor]);
  return confirmed.length > 0 || (await isConfirmed(on, [accountId, id])).length > 0;
};

/** What a key confirms, of what visitors have asked for. */
interface KeyConfirmation {
  readonly accountId: number;
  /** For the audit log. */
  readonly actor: string;
  /** Of the erasure. */
  readonly id: string;
}

/** Confirms an erasure with an API key. Returns whether it waited for that. Throws a `Refusal` if there are too many with this key. */
export const confirmWithKey = async (on: Queryable, confirmation: KeyConfirmation): Promise<boolean> => {
  if (await isOverLimit(on, confirmation)) throw new Refusal('rate-limited.erasures');
  return confirmErasure(on, { ...confirmation, by: 'partner' });
};

const end = statement<{ id: string }>(
  `update erasure set state = 'lapsed', subject = null, subject_hash = null, finished_at = now()
   where state = 'asked' and due_at <= now() returning id`,
);

/** Ends what no account has confirmed in time, and forgets whom it was about. Returns how many. */
export const lapseAskedErasures = async (on: Queryable): Promise<number> => (await end(on, [])).length;

const readAll = statement<{ id: string; accountId: AccountId; subject: Buffer }>(
  `select id, account_id as "accountId", subject from erasure where state = 'asked' and id > $1 order by id limit 500`,
);

const replace = statement<{ id: string }>(
  `update erasure set subject = $2 where id = $1 and subject = $3 returning id`,
);

/** Encrypts with the first key whom they are about, because they wait longer than a rotation takes. Returns how many. */
export const reEncryptAskedErasures = async (on: Queryable, keys: Keys): Promise<number> => {
  let [encrypted, after] = [0, ''];
  for (;;) {
    const rows = await readAll(on, [after]);
    for (const { id, accountId, subject } of rows) {
      after = id;
      const leadReference = leadOf(keys, accountId, subject);
      if (leadReference === undefined) continue;
      encrypted += (await replace(on, [id, encryptSubject(keys, accountId, { leadReference }), subject])).length;
    }
    if (rows.length === 0) return encrypted;
  }
};
