import { accountKeysOpener, accountMasterKeys, type SecretsKeys } from '@leadback/domain/keys';
import type { Database } from './database.ts';
import { isDatabaseUnavailable } from './database-failure.ts';

const advice =
  'Set the SECRETS_KEY with which the accounts were created (during a rotation: the new key, a comma, the former key), and start again';

interface Row {
  readonly id: number;
  readonly data_key: Buffer;
}

// during a rotation, some accounts have the former key; of a large installation, the newest accounts say enough
const newest = 'select id, data_key from account where data_key is not null order by id desc limit 20';

const newestAccounts = async ({ pool }: Database): Promise<readonly Row[]> => {
  try {
    return (await pool.query<Row>(newest)).rows;
  } catch (error) {
    if (isDatabaseUnavailable(error)) return [];
    throw error;
  }
};

/**
 * Throws if SECRETS_KEY decrypts the key of no account: it is valid, but of another installation. Without accounts, or while
 * the database is unavailable, every key is fine.
 */
export const assertSecretsKey = async (database: Database, secretsKeys: SecretsKeys): Promise<void> => {
  const open = accountKeysOpener(accountMasterKeys(secretsKeys));
  const accounts = await newestAccounts(database);
  const decrypts = ({ id, data_key: dataKey }: Row): boolean => {
    try {
      return Boolean(open(id, dataKey));
    } catch {
      return false;
    }
  };
  if (accounts.length === 0 || accounts.some(decrypts)) return;
  throw new Error(`SECRETS_KEY is not the key of this database: it decrypts the key of no account. ${advice}`);
};
