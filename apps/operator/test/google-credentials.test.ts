import { givenConnection, givenServer, secretsKeys, shared } from '@leadback/testing';
import { platformSandbox } from '@leadback/platform-sandbox';
import { describe, expect, it } from 'vitest';
import { decryptConnection } from '@leadback/core/connections/open';
import { findConnection } from '@leadback/core/connections/store';
import { givenFile } from './given-file.ts';
import { givenOperator } from './given-operator.ts';
import { googleKey as key, googleKeySecret as secret } from './google-key.ts';

const oauth = { clientId: 'c', clientSecret: 's', refreshToken: 'r' };
const settings = '--customer-id 123-456-7890 --conversion-action-id 987';
const typedOauth = '--client-id c --client-secret s --refresh-token r';
const env = (...keys: readonly Uint8Array[]) => ({
  SECRETS_KEY: keys.map((one) => Buffer.from(one).toString('base64')).join(','),
});

describe('Google credentials of a connection', async () => {
  const sandbox = await shared(givenServer(platformSandbox()));
  const operator = await shared(givenOperator(sandbox.url));
  const account = await operator.givenAccountId();
  const file = await givenFile('key.json', JSON.stringify(key));

  const connect = () => givenConnection(operator.database.em(), { platform: 'google', credentials: oauth });
  const credentialsOf = async (id: number) =>
    decryptConnection(await findConnection(operator.database.pool, { id }), secretsKeys);

  it('stores a Google service account key encrypted, and the connection works with it', async () => {
    const create = `connection create --account ${account} --platform google ${settings} --service-account @${file}`;
    const { status, out } = await operator.type(`${create} --json`);
    expect(status).toBe(0);
    const { id } = Object(JSON.parse(out));
    const stored = await findConnection(operator.database.pool, { id });
    expect(decryptConnection(stored, secretsKeys)).toEqual({
      serviceAccount: expect.objectContaining({ client_email: key.client_email, private_key: key.private_key }),
    });
    expect(stored.encryptedCredentials.includes(secret)).toBe(false);
    const checked = await operator.type(`connection check ${id} --json`);
    expect(JSON.parse(checked.out)).toMatchObject({ platform: 'google', works: true });
    expect(checked.out).not.toContain(secret);
    const list = await operator.json(`connection list --account ${stored.accountId}`);
    expect(list).toContainEqual(expect.objectContaining({ id, platform: 'google', state: 'active' }));
  });

  it('replaces Google credentials of one kind with the other kind and keeps nothing of the former', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --service-account @${file}`);
    const serviceAccount = expect.objectContaining({ client_email: key.client_email });
    expect(await credentialsOf(id)).toEqual({ serviceAccount });
    await operator.json(`connection change ${id} --customer-id 2222222222`);
    expect(await credentialsOf(id)).toEqual({ serviceAccount });

    const partly = await operator.type(`connection change ${id} --refresh-token r`);
    expect(partly.err).toMatch(/--client-id: .*\n--client-secret: /);
    expect(partly.status).toBe(1);
    expect(await credentialsOf(id)).toEqual({ serviceAccount });
    await operator.json(`connection change ${id} ${typedOauth}`);
    expect(await credentialsOf(id)).toEqual(oauth);
    await operator.json(`connection change ${id} --refresh-token new`);
    expect(await credentialsOf(id)).toEqual({ ...oauth, refreshToken: 'new' });
  });

  it('names the option that replaces a service account key that Google rejects, and prints nothing of the key', async () => {
    const serviceAccount = { ...key, client_email: 'revoked@zapatos.iam.gserviceaccount.com' };
    const { id } = await givenConnection(operator.database.em(), {
      platform: 'google',
      credentials: { serviceAccount },
    });
    const { out } = await operator.type(`connection check ${id} --json`);
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'refused',
      advice: expect.stringContaining(`\`connection change ${id} --service-account …\``),
    });
    expect(out).not.toContain(secret);
  });

  it('re-encrypts service account keys with `secrets rotate`', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --service-account @${file}`);
    const fresh = Buffer.alloc(32, 7);
    const old = secretsKeys[0];
    await operator.json('secrets rotate', env(fresh, old));
    expect(decryptConnection(await findConnection(operator.database.pool, { id }), [fresh])).toMatchObject({
      serviceAccount: { private_key: key.private_key },
    });
    await operator.json('secrets rotate', env(old, fresh));
  });
});
