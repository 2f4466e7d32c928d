import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Account, PlatformConnection } from '@leadback/db';
import { platformSandbox } from '@leadback/platform-sandbox';
import {
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  givenDatabase,
  givenDelivery,
  givenLandingPage,
  givenServer,
  secretsKey,
  type TestDatabase,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { runOperator } from '../../apps/operator/src/run-operator.ts';
import { givenTerminal } from '../../apps/operator/test/given-operator.ts';
import { codeBlocks, root } from '../support/code-blocks.ts';

const documents = ['docs/operator.md', 'docs/connections.md'];
const blocks = documents.flatMap((document) => codeBlocks(document)).filter(({ language }) => language === 'sh');
// hands the arguments of `npm run operator -- …` to the test, which runs them: a process each would take most of a minute
const npm = 'npm() { shift 3; "$NODE" type.cjs "$@"; }';
const typing = `
const request = require('node:http').request(process.env.OPERATOR, { method: 'POST' }, async (response) => {
  const { status, out, err } = JSON.parse((await response.toArray()).join(''));
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = status;
});
request.end(JSON.stringify(process.argv.slice(2)));
`;
// a shell of its own runs each block: it gets the functions and variables of the blocks before
const functions = blocks.find(({ name }) => name === 'ids')?.code ?? '';
const withVariables = (code: string) =>
  [npm, functions, '[ ! -e variables ] || . ./variables', 'set -a', code, 'export -p > variables'].join('\n');

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

/** The files with secrets that the guide names. */
const secretFiles = new Set(
  blocks.flatMap(({ code }) => [...code.matchAll(/ @([\w-]+)(?=\s|$)/g)].map(([, name = '']) => name)),
);

describe('the operator guide', () => {
  const ours = new AsyncDisposableStack();
  let database: TestDatabase;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    database = ours.use(await givenDatabase());
    folder = await mkdtemp(join(inject('temporaryFolder'), 'operator-'));
    await symlink(join(root, 'docs'), join(folder, 'docs'));
    await writeFile(join(folder, 'google-key.json'), JSON.stringify(googleKey));
    for (const name of secretFiles) await writeFile(join(folder, name), `${name}\n`);
    await writeFile(join(folder, 'type.cjs'), typing);
    const platforms = ours.use(await givenServer(platformSandbox()));
    const surroundings = {
      ...process.env,
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey.toString('base64'),
      PLATFORM_SANDBOX_URL: platforms.url,
    };
    const typed = async (words: unknown) => {
      const terminal = givenTerminal(surroundings);
      const status = await runOperator(z.array(z.string()).parse(words), terminal);
      return { status, out: terminal.out(), err: terminal.err() };
    };
    const operator = ours.use(
      await givenServer((request, response) => {
        void json(request)
          .then(typed)
          .catch((error: unknown) => ({ status: 1, out: '', err: String(error) }))
          .then((result) => response.end(JSON.stringify(result)));
      }),
    );
    env = { ...process.env, NODE: process.execPath, OPERATOR: operator.url };
    // what the commands read is in its folder
    const before = process.cwd();
    ours.defer(() => process.chdir(before));
    process.chdir(folder);
  });
  afterAll(() => ours.disposeAsync());

  const type = (code: string) =>
    new Promise<{ status: unknown; out: string; err: string }>((resolve) => {
      execFile('/bin/sh', ['-euc', withVariables(code)], { cwd: folder, env }, (error, out, err) =>
        resolve({ status: error?.code ?? 0, out, err }),
      );
    });

  /** Failed deliveries and a client of the guide's account, for the commands that show or retry them. */
  const givenHistory = async () => {
    const em = database.em();
    const account = await em.findOneOrFail(Account, { name: 'Zapatos SA' });
    const connection = await em.findOneOrFail(PlatformConnection, { platform: 'meta', account });
    const failed = { connection, state: 'failed', reason: '2804019: Invalid parameter' } as const;
    await givenDelivery(em, failed);
    await givenDelivery(em, failed);
    await givenClient(em, { account, email: 'ana@example.com' });
  };

  const runGuide = async (): Promise<string> => {
    await rm(join(folder, 'variables'), { force: true });
    let printed = '';
    for (const { name, code } of blocks) {
      const { status, out, err } = await type(code);
      expect({ name, status, err }).toEqual({ name, status: 0, err: '' });
      printed += out;
      if (name === 'going-live') await givenHistory();
    }
    return printed;
  };

  /** An account with a page, a key, connections, deliveries and a client, as after `npm start`. */
  const givenDemonstration = async (): Promise<Account> => {
    const em = database.em();
    const account = await givenAccount(em);
    await givenApiKey(em, { account });
    await givenLandingPage(em, { account });
    for (const platform of ['meta', 'google', 'tiktok'] as const) {
      const connection = await givenConnection(em, { account, platform });
      await givenDelivery(em, { connection, state: 'failed', reason: '2804019: Invalid parameter' });
      await givenDelivery(em, { connection, state: 'skipped', reason: 'consent' });
    }
    await givenClient(em, { account, email: 'ana@example.com' });
    return account;
  };

  /** Every row of the account, as text. */
  const rowsOf = async ({ id }: Account): Promise<unknown[]> => {
    const tables = ['api_key', 'landing_page', 'platform_connection', 'client', 'conversion', 'delivery'];
    const rows = tables.map((table) => `select to_jsonb(t)::text as row from ${table} t where account_id = $1`);
    const all = [...rows, 'select to_jsonb(t)::text from account t where id = $1'].join(' union all ');
    return (await database.pool.query(`${all} order by 1`, [id])).rows;
  };

  it('every command of the operator guide and of the connections succeeds, and changes no other account of the database', async () => {
    const demonstration = await givenDemonstration();
    const before = await rowsOf(demonstration);
    const printed = await runGuide();
    expect(printed.match(/works\W+true/g)).toHaveLength(4);
    expect(await rowsOf(demonstration)).toEqual(before);
  }, 600_000);
});
