// `node scripts/run.mjs sdk-runtimes`: uses the packed SDK in other runtimes, which npx fetches (500 MB). Not part of
// `npm test` for that reason.
import { createServer, type Server } from 'node:http';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { freePort, localUrl } from '@leadback/testing/stack';

const replies: Readonly<Record<string, readonly [status: number, headers: Record<string, string>, body: unknown]>> = {
  'POST /client 1': [503, { 'retry-after': '1' }, { message: 'not available right now' }],
  'POST /client 2': [201, {}, { id: 7 }],
  'POST /client/conversion 1': [
    400,
    {
      'leadback-error': 'conversion-repeated',
      'leadback-conversion-id': '31',
      'leadback-repeated-field': 'conversionExternalReference',
    },
    { message: 'conversionExternalReference: a conversion with this reference already exists' },
  ],
  'GET /client/conversions?state=failed 1': [200, {}, { items: [{ id: 2 }], next: 'b' }],
  'GET /client/conversions?state=failed&after=b 1': [200, {}, { items: [{ id: 1 }], next: null }],
};

/** What `smoke` returns with this double. */
const expected = {
  client: { id: 7, isRepeated: false },
  conversion: { id: 31, isRepeated: true },
  listed: [2, 1],
  webhook: 'webhook-invalid',
  abort: 'AbortError',
  isReference: true,
};

/** Stands in for the API, once. */
const serveApiDouble = async (): Promise<Server> => {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const [status, headers, body] = replies[`${name} ${times}`] ?? [500, {}, { message: `unexpected: ${name}` }];
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
};

const execute = promisify(execFile);
const here = import.meta.dirname;

const folder = await mkdtemp(join(tmpdir(), 'leadback-sdk-'));
const pack = ['pack', '--silent', '--pack-destination', folder];
await execute('npm', pack, { cwd: join(here, '..', 'packages', 'sdk') });
await writeFile(join(folder, 'package.json'), '{"private": true}');
await execute('sh', ['-c', 'npm install --no-audit --no-fund ./*.tgz'], { cwd: folder });
await cp(join(here, 'sdk', 'smoke.mjs'), join(folder, 'smoke.mjs'));
const main = `import { smoke } from './smoke.mjs';
console.log(JSON.stringify(await smoke(process.argv[2])));`;
await writeFile(join(folder, 'main.mjs'), main);
const worker = `import { smoke } from 'smoke';
export default { fetch: async (request) => Response.json(await smoke(new URL(request.url).searchParams.get('api'))) };`;
await writeFile(join(folder, 'worker.mjs'), worker);

/** Runs `main.mjs` by a program of an npm package. */
const byProgram =
  (packageName: string, ...command: readonly string[]) =>
  async (apiUrl: string): Promise<string> => {
    const npx = ['--yes', `--package=${packageName}`, '--', ...command, 'main.mjs', apiUrl];
    return (await execute('npx', npx, { cwd: folder })).stdout;
  };

const workerConfig = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "worker.mjs"),
    (name = "smoke", esModule = embed "smoke.mjs"),
    (name = "@leadback/sdk", esModule = embed "node_modules/@leadback/sdk/dist/index.js"),
  ],
  compatibilityDate = "2025-01-01",
);`;

/** Runs the SDK in the runtime of Cloudflare's workers. */
const byWorker = async (apiUrl: string): Promise<string> => {
  const port = await freePort();
  await writeFile(join(folder, 'config.capnp'), workerConfig(port));
  const npx = ['--yes', '--package=workerd@1.20261117.1', '--', 'workerd', 'serve', 'config.capnp'];
  const started = spawn('npx', npx, { cwd: folder, stdio: 'inherit', detached: true });
  const response = async (until = Date.now() + 120_000): Promise<string> => {
    try {
      return await (await fetch(`${localUrl(port)}/?api=${encodeURIComponent(apiUrl)}`)).text();
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(200);
      return response(until);
    }
  };
  try {
    return await response();
  } finally {
    // npx and what it started
    if (started.pid !== undefined) process.kill(-started.pid);
  }
};

const runtimes = {
  'Node 18': byProgram('node@18.20.8', 'node'),
  'Node 20': byProgram('node@20.20.2', 'node'),
  'Node 22': byProgram('node@22.23.3', 'node'),
  'Node 24': byProgram('node@24.21.0', 'node'),
  Bun: byProgram('bun@1.4.5', 'bun'),
  Deno: byProgram('deno@2.9.6', 'deno', 'run', '--allow-net'),
  workerd: byWorker,
};

for (const [name, run] of Object.entries(runtimes)) {
  const api = await serveApiDouble();
  const address = api.address();
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  const result = await run(url).catch((error: unknown) => String(error));
  api.close();
  let isAsExpected = false;
  try {
    isAsExpected = isDeepStrictEqual(JSON.parse(result), expected);
  } catch {
    // the runtime did not get as far as a result
  }
  process.stdout.write(`${isAsExpected ? '✓' : '✗'} ${name}${isAsExpected ? '' : `: ${result}`}\n`);
  if (!isAsExpected) process.exitCode = 1;
}
process.exit();
