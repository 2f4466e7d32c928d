import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatformConnection } from '@leadback/db';
import { givenClient, givenDatabase, givenFeedback, secretsKey, type TestDatabase } from '@leadback/test-fixtures';
import { freePort, startProcess } from '@leadback/local-stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks, root } from '../support/code-blocks.ts';

const blocks = codeBlocks('docs/operator.md').filter(({ language }) => language === 'sh');
// runs the operator app directly, with the arguments of `npm run operator -- …`
const npm = 'npm() { shift 3; "$NODE" "$OPERATOR" "$@"; }';
// one pixel
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

// the format of `gcloud iam service-accounts keys create`
const googleKey = {
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: '0123456789abcdef0123456789abcdef01234567',
  private_key: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey,
  client_email: 'leadback@my-project.iam.gserviceaccount.com',
  client_id: '112233445566778899001',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
};

describe('the operator guide', () => {
  const ours = new AsyncDisposableStack();
  let database: TestDatabase;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    database = ours.use(await givenDatabase());
    folder = await mkdtemp(join(inject('temporaryFolder'), 'operator-'));
    await writeFile(join(folder, 'oferta.md'), 'Zapatos **a mano**');
    await writeFile(join(folder, 'logo.png'), Buffer.from(logo, 'base64'));
    await writeFile(join(folder, 'google-key.json'), JSON.stringify(googleKey));
    const port = await freePort();
    const platforms = `http://127.0.0.1:${port}`;
    ours.use(
      await startProcess({
        name: 'sandbox',
        script: 'src/main.ts',
        cwd: join(root, 'packages/platform-sandbox'),
        logFile: join(folder, 'sandbox.log'),
        readyUrl: `${platforms}/health`,
        env: { HOST: '127.0.0.1', PORT: String(port) },
      }),
    );
    env = {
      ...process.env,
      NODE: process.execPath,
      OPERATOR: join(root, 'apps/operator/src/main.ts'),
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey.toString('base64'),
      PLATFORM_SANDBOX_URL: platforms,
    };
  });
  afterAll(() => ours.disposeAsync());

  const type = (code: string) =>
    new Promise<{ status: unknown; out: string; err: string }>((resolve) => {
      execFile('/bin/sh', ['-ec', `${npm}\n${code}`], { cwd: folder, env }, (error, out, err) =>
        resolve({ status: error?.code ?? 0, out, err }),
      );
    });

  /** Failed deliveries and a client, for the commands that show or retry them. */
  const givenHistory = async () => {
    const em = database.em();
    const connection = await em.findOneOrFail(PlatformConnection, { platform: 'meta' }, { populate: ['account'] });
    const failed = { connection, state: 'failed', reason: '2804019: Invalid parameter' } as const;
    await givenFeedback(em, failed);
    await givenFeedback(em, failed);
    await givenClient(em, { account: await connection.account.loadOrFail(), email: 'ana@example.com' });
  };

  it('every command of the operator guide succeeds, starting with an empty database', async () => {
    let printed = '';
    for (const { name, code } of blocks) {
      const { status, out, err } = await type(code);
      expect({ name, status, err }).toEqual({ name, status: 0, err: '' });
      printed += out;
      if (name === 'going-live') await givenHistory();
    }
    expect(printed.match(/works\W+true/g)).toHaveLength(4);
  }, 300_000);
});
