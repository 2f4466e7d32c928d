import { generateKeyPairSync } from 'node:crypto';
import { dirname } from 'node:path';
import { givenConnection, givenServer, secretsKeys, type TestServer } from '@leadback/given';
import { platformSandbox } from '@leadback/platform-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findConnection } from '../src/find-connection.ts';
import { openCredentials } from '../src/open-credentials.ts';
import { givenFile } from './given-file.ts';
import { givenOperator, type TestOperator } from './given-operator.ts';

const key = {
  type: 'service_account',
  project_id: 'zapatos',
  private_key_id: '0123456789abcdef',
  private_key: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey,
  client_email: 'leadback@zapatos.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const oauth = { clientId: 'c', clientSecret: 's', refreshToken: 'r' };
const typedOauth = '--client-id c --client-secret s --refresh-token r';
const env = (...keys: readonly Uint8Array[]) => ({
  SECRETS_KEY: keys.map((one) => Buffer.from(one).toString('base64')).join(','),
});
const named = (text: string, file: string) => text.replace('FILE', file).replace('FOLDER', dirname(file));

describe('google credentials', () => {
  let sandbox: TestServer;
  let operator: TestOperator;
  let file: string;
  let secret: string;
  beforeAll(async () => {
    sandbox = await givenServer(platformSandbox());
    operator = await givenOperator(sandbox.url);
    file = await givenFile('key.json', JSON.stringify(key));
    secret = key.private_key.split('\n')[1] ?? '';
  });
  afterAll(async () => {
    await operator[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  const connect = () => givenConnection(operator.database.em(), { platform: 'google', credentials: oauth });
  const credentialsOf = async (id: number) =>
    openCredentials(await findConnection(operator.database.em(), id), secretsKeys);
  const create = async (options: string) => {
    const account = await operator.givenAccountId();
    const settings = '--customer-id 123-456-7890 --conversion-action-id 987';
    return operator.type(`connection create --account ${account} --platform google ${settings} ${options} --json`);
  };

  it('are a service account key that is stored encrypted, and the connection works with it', async () => {
    const { status, out } = await create(`--service-account @${file}`);
    expect(status).toBe(0);
    const { id } = Object(JSON.parse(out));
    const stored = await findConnection(operator.database.em(), id);
    expect(openCredentials(stored, secretsKeys)).toEqual({
      serviceAccount: expect.objectContaining({ client_email: key.client_email, private_key: key.private_key }),
    });
    expect(Buffer.from(stored.credentials).includes(secret)).toBe(false);
    const checked = await operator.type(`connection check ${id} --json`);
    expect(JSON.parse(checked.out)).toMatchObject({ platform: 'google', works: true });
    expect(checked.out).not.toContain(secret);
    const list = await operator.json(`connection list --account ${stored.account.id}`);
    expect(list).toMatchObject([{ id, platform: 'google', state: 'active' }]);
  });

  it('change from one kind to the other, whole, and nothing of the former kind stays', async () => {
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

  it('of a service account are re-encrypted by `secrets rotate`', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --service-account @${file}`);
    const fresh = Buffer.alloc(32, 7);
    const old = secretsKeys[0];
    await operator.json('secrets rotate', env(fresh, old));
    expect(openCredentials(await findConnection(operator.database.em(), id), [fresh])).toMatchObject({
      serviceAccount: { private_key: key.private_key },
    });
    await operator.json('secrets rotate', env(old, fresh));
  });

  it.each([
    ['', '--service-account: there are no credentials; give --service-account @key.json, or --client-id'],
    [
      `${typedOauth} --service-account @FILE`,
      'give one kind of credentials: --service-account @key.json, or --client-id',
    ],
    ['--client-id c', '--client-secret: expected the secret of the OAuth client'],
    ['--service-account FILE', '--service-account: expected @ and the path of a key file, such as @key.json'],
    ['--service-account @/nowhere/key.json', '--service-account: there is no file /nowhere/key.json'],
    ['--service-account @FOLDER', 'FOLDER (EISDIR); give a file that this user may read'],
  ])('that are given as "%s" are refused with what to fix', async (options, message) => {
    const { status, out, err } = await create(named(options, file));
    expect(err).toContain(named(message, file));
    expect([status, out]).toEqual([1, '']);
    expect(err).not.toContain(secret);
  });

  it.each([
    ['text that is not JSON', `${JSON.stringify(key)}}`, 'is not JSON'],
    [
      'an OAuth client',
      JSON.stringify({ installed: { client_id: 'c', client_secret: 's' } }),
      'the key of a service account',
    ],
    ['a key without its private part', JSON.stringify({ ...key, private_key: undefined }), 'private_key'],
    [
      'a key whose private part is cut off',
      JSON.stringify({ ...key, private_key: key.private_key.slice(0, 300) }),
      'private_key',
    ],
    ['a list', '[]', 'the key of a service account'],
  ])(
    'in a file with %s are refused with what to fix, and nothing of the file is printed',
    async (_, content, message) => {
      const path = await givenFile('key.json', content);
      const { status, out, err } = await create(`--service-account @${path}`);
      expect(err).toMatch(/^--service-account: /);
      expect(err).toContain(message);
      expect([status, out]).toEqual([1, '']);
      expect(err).not.toContain(secret);
    },
  );

  it('are none of Meta', async () => {
    const { id } = await givenConnection(operator.database.em());
    const { status, err } = await operator.type(`connection change ${id} --service-account @${file}`);
    expect([status, err]).toEqual([1, '--service-account: Meta has no such setting\n']);
  });
});
