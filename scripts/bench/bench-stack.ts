import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@leadback/db';
import { forgetServer, freePort, type Surroundings, startPostgres, startRabbitmq } from '@leadback/local-stack';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { operate } from '../start/operator.ts';

export interface BenchStack {
  readonly around: Surroundings;
  readonly database: Database;
  readonly landingUrl: string;
  readonly apiUrl: string;
  /** Operations URL of landing. */
  readonly operationsUrl: string;
  readonly key: string;
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
const withKey = z.object({ key: z.string() });
const local = (port: number) => `http://127.0.0.1:${port}`;

/** Temporary servers with data on disk as in production, and an account connected to Meta and Google. */
export const benchStack = async (ending: AsyncDisposableStack): Promise<BenchStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'leadback-bench-'));
  const [postgresFolder, rabbitmqFolder] = [join(folder, 'postgres'), join(folder, 'rabbitmq')];
  ending.defer(async () => {
    await Promise.all([forgetServer(postgresFolder), forgetServer(rabbitmqFolder)]);
    rmSync(folder, { recursive: true, force: true });
  });
  const [postgres, rabbitmq, ports] = await Promise.all([
    startPostgres({ dir: postgresFolder, log: say }),
    startRabbitmq({ dir: rabbitmqFolder, log: say }),
    Promise.all(Array.from({ length: 6 }, freePort)),
  ]);
  ending.defer(() => postgres.stop());
  ending.defer(() => rabbitmq.stop());
  await migrate(postgres.url);
  const database = ending.use(
    await openDatabase({ url: postgres.url, applicationName: 'bench', hasNoStatementTimeout: true }),
  );

  const [landing = 0, api = 0, sandbox = 0, ofLanding = 0, ofApi = 0, ofWorker = 0] = ports;
  const operations = { landing: ofLanding, api: ofApi, 'feedback-worker': ofWorker };
  const secretsKey = randomBytes(32).toString('base64');
  const around: Surroundings = {
    root,
    databaseUrl: postgres.url,
    amqpUrl: rabbitmq.url,
    secretsKey,
    logFolder: folder,
    leadSpoolFolder: join(folder, 'leads'),
    ports: { landing, api, sandbox, operations },
  };

  const run = (line: string) =>
    operate({ databaseUrl: postgres.url, secretsKey, landingUrl: local(landing) }, ...line.split(' '));
  await run('account create --name Bench --rate-limit 1000000');
  await run('page create --account 1 --slug bench --mode direct --target https://shop.example/offer');
  await run('connection create --account 1 --platform meta --pixel-id 1234567890 --access-token t');
  await run(
    'connection create --account 1 --platform google --customer-id 1234567890 --conversion-action-id 1 --client-id c --client-secret s --refresh-token r',
  );
  const { key } = withKey.parse(await run('key issue --account 1 --name bench'));
  return {
    around,
    database,
    landingUrl: local(landing),
    apiUrl: `${local(api)}/api/v1`,
    operationsUrl: local(ofLanding),
    key,
  };
};
