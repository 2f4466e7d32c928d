import { type AccountKeys, type Keys, openAccountKey, sealNewAccountKey } from '@leadback/secrets';
import { preparedStatement, type Queryable } from './prepared-statement.ts';

interface Row {
  readonly encrypted: Buffer | null;
}

const read = preparedStatement<Row>('read-account-key', 'select data_key as encrypted from account where id = $1');

const add = preparedStatement<Row>(
  'add-account-key',
  'update account set data_key = $2 where id = $1 and data_key is null returning data_key as encrypted',
);

/**
 * Returns the keys of an account, which gets a data key if it has none. Safe to call in several processes at once, in a
 * transaction or not. Throws if there is no such account or no key decrypts its data key.
 */
export const ensureAccountKey = async (on: Queryable, masterKeys: Keys, accountId: number): Promise<AccountKeys> => {
  const readKey = async () => (await read(on, [accountId]))[0]?.encrypted;
  const addKey = async () => (await add(on, [accountId, sealNewAccountKey(masterKeys, accountId)]))[0]?.encrypted;
  const encrypted = (await readKey()) ?? (await addKey()) ?? (await readKey());
  if (encrypted == null) throw new Error(`account ${accountId} does not exist`);
  return openAccountKey(masterKeys, accountId, encrypted);
};
