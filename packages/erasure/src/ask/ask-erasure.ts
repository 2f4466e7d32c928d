import type { AccountId, ErasureAsker } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { keyedCheck, type Keys, randomBase62 } from '@leadback/secrets';
import { encryptSubject, type ErasureSubject, nameOf, subjectHash } from './subject.ts';

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

// landing may not read all columns
const ask = preparedStatement<{ id: string }>(
  'ask-for-erasure',
  `insert into erasure (id, account_id, asked_by, actor, is_test, named_by, subject, subject_hash, network)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict do nothing returning id`,
);

const findOpen = preparedStatement<{ id: string; isOfVisitor: boolean }>(
  'find-open-erasure',
  `select id, asked_by = 'visitor' and confirmed_by is null as "isOfVisitor" from erasure
   where account_id = $1 and is_test = $2 and subject_hash = $3 and finished_at is null and erased_at is null
   union all
   select id, false from erasure where id = $4
   limit 1`,
);

// The account decides. Waits for a visitor's erasure that is being performed: the person may be registered again before the
// next one.
const takeOver = preparedStatement<{ id: string }>(
  'take-over-erasure-of-visitor',
  `update erasure set confirmed_by = $2, actor = $3, state = 'pending', due_at = now()
   where id = $1 and asked_by = 'visitor' and confirmed_by is null and finished_at is null and erased_at is null returning id`,
);

// its end is `client.erase`
const note = preparedStatement(
  'audit-asked-erasure',
  `insert into audit_entry (actor, action, account_id, target) values ($1, 'client.erase-asked', $2, $3)`,
);

const findErased = preparedStatement<{ id: string }>(
  'find-erasure-of-erased-lead',
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
 * visitors. What a partner asks for is in the audit log, once for each erasure: call it in a transaction then.
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
  for (;;) {
    const [asked] = await ask(on, [id, accountId, askedBy, actor, isTest, ...named]);
    if (asked) {
      if (askedBy === 'partner') await note(on, [actor, accountId, `erasure ${id}`]);
      return id;
    }
    const [open] = await findOpen(on, [accountId, isTest, hash, id]);
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
