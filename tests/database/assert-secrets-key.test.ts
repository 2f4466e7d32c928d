import { randomBytes } from 'node:crypto';
import { assertSecretsKey, openDatabase } from '@leadback/db';
import { asDatabaseRole, databaseRoles } from '@leadback/testing/stack';
import { givenAccount, givenDatabase, secretsKeys } from '@leadback/testing';
import { expect, it } from 'vitest';

const another = randomBytes(32);
const connected = (url: string) => openDatabase({ url, applicationName: 'test', connectionsMax: 1 });

it.each(Object.values(databaseRoles))(
  '%s starts with the key of its accounts, also during a rotation, and with no other',
  async (role) => {
    await using database = await givenDatabase();
    await using asApp = await connected(asDatabaseRole(database.url, role));
    await expect(assertSecretsKey(asApp, [another])).resolves.toBeUndefined(); // no account yet
    await givenAccount(database.em());
    await expect(assertSecretsKey(asApp, secretsKeys)).resolves.toBeUndefined();
    await expect(assertSecretsKey(asApp, [another, ...secretsKeys])).resolves.toBeUndefined();
    await expect(assertSecretsKey(asApp, [another])).rejects.toThrow(
      'SECRETS_KEY is not the key of this database: it decrypts the key of no account. Set the SECRETS_KEY with which',
    );
  },
);

it('any key is fine while the database is unavailable: apps start without it', async () => {
  await using unavailable = await connected('postgres://nobody@127.0.0.1:1/none');
  await expect(assertSecretsKey(unavailable, [another])).resolves.toBeUndefined();
});
