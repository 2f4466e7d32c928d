import { ensureAccountKey } from '@leadback/db';
import { givenAccount, givenDatabase, secretsKeys } from '@leadback/test-fixtures';
import { accountMasterKeys, lookupHash } from '@leadback/secrets';
import { describe, expect, it } from 'vitest';

const masterKeys = accountMasterKeys(secretsKeys);

describe('the key of an account', () => {
  it('is made once for an account from before, also if several processes need it at once', async () => {
    await using database = await givenDatabase();
    const { id } = await givenAccount(database.em());
    await database.pool.query('update account set data_key = null where id = $1', [id]);
    const keys = await Promise.all(Array.from({ length: 8 }, () => ensureAccountKey(database.pool, masterKeys, id)));
    const hashes = new Set(keys.map((one) => lookupHash(one, 'email', 'ana@example.com')));
    expect(hashes.size).toBe(1);
    const again = await ensureAccountKey(database.pool, masterKeys, id);
    expect(hashes).toContain(lookupHash(again, 'email', 'ana@example.com'));
  });

  it('is not made for an account that does not exist', async () => {
    await using database = await givenDatabase();
    await expect(ensureAccountKey(database.pool, masterKeys, 1)).rejects.toThrow('account 1 does not exist');
  });
});
