import type { AccountId, ErasureAsker } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { keyedCheck, type Keys, randomBase62 } from '@leadback/secrets';
import { encryptSubject, type ErasureSubject, nameOf } from './subject.ts';

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

// without `returning`: landing may not read all columns
const ask = preparedStatement(
  'ask-for-erasure',
  `insert into erasure (id, account_id, asked_by, actor, is_test, named_by, subject, network)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (id) do nothing`,
);

/** Asks for an erasure; an api performs it within seconds. `keys`: see `erasureKeys`. Returns its id. */
export const askErasure = async (
  on: Queryable,
  keys: Keys,
  { id = randomBase62(idLength), accountId, askedBy, actor, isTest = false, subject, network }: ErasureToAsk,
): Promise<string> => {
  const encrypted = encryptSubject(keys, accountId, subject);
  await ask(on, [id, accountId, askedBy, actor, isTest, nameOf(subject), encrypted, network ?? null]);
  return id;
};
