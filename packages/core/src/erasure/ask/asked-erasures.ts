import { type AccountId, askedErasureDays, type ErasureDecider, type ErasureWay, Refusal } from '@leadback/domain';
import { type PoolClient, statement, type Queryable } from '@leadback/db';
import { type Keys, randomBase62 } from '@leadback/domain/keys';
import { decryptSubject, encryptSubject, isOverLimit, subjectHash } from './ask-erasure.ts';

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
export interface WaitingErasure {
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
export interface ErasureConfirmation {
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
export interface KeyConfirmation {
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
  let [count, after] = [0, ''];
  for (;;) {
    const rows = await readAll(on, [after]);
    for (const { id, accountId, subject } of rows) {
      after = id;
      const leadReference = leadOf(keys, accountId, subject);
      if (leadReference === undefined) continue;
      count += (await replace(on, [id, encryptSubject(keys, accountId, { leadReference }), subject])).length;
    }
    if (rows.length === 0) return count;
  }
};
