import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { freePort } from '@leadback/testing/stack';
import { expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { root } from './start/data-folder.ts';

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a script under this Node. `onOutput` sees what it has printed so far. */
const run = async (
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onOutput: (out: string, interrupt: () => void) => void = () => {},
): Promise<Ended> => {
  const child = spawn(process.execPath, words, { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } });
  onTestFinished(() => {
    child.kill();
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
    onOutput(out, () => child.kill('SIGINT'));
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString();
  });
  await once(child, 'close');
  return { status: child.exitCode, out, err };
};

const temporaryFolder = () => mkdtemp(join(inject('temporaryFolder'), 'command-lines-'));
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

it.each([
  ['start', '--frehs', "Unknown option '--frehs'; did you mean --fresh?"],
  ['start', 'fresh', "Unexpected argument 'fresh'"],
  ['test', '--fast', "Unknown option '--fast'"],
  ['check', 'lnt', 'there is no check lnt'],
  ['check', '--lint', "Unknown option '--lint'"],
  ['test', 'packages/nowhere', `there is no ${join(root, 'packages/nowhere')}`],
])('npm %s refuses "%s" with status 2 and its usage, before it starts anything', async (task, word, reason) => {
  const folder = join(await temporaryFolder(), 'data');
  const { status, out, err } = await run([join('scripts', `${task}.ts`), word], { LEADBACK_FOLDER: folder });
  expect([status, out]).toEqual([2, '']);
  expect(err.replace('npm run', 'npm').startsWith(`${reason}\nnpm ${task}  `)).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

it.each(['start', 'test'])('npm %s prints its usage with --help, and starts nothing', async (task) => {
  const folder = join(await temporaryFolder(), 'data');
  const { status, out, err } = await run([join('scripts', `${task}.ts`), '--help'], { LEADBACK_FOLDER: folder });
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^npm ${task}  `));
  expect(existsSync(folder)).toBe(false);
});

const startPorts = ['LANDING_PORT', 'API_PORT', 'SHOP_PORT', 'SANDBOX_PORT', 'CONSOLE_PORT'] as const;

/** What `npm start` says of settings, of which the others are right; it starts nothing. */
const refusedStart = async (wrong: Readonly<Record<string, string>>): Promise<string> => {
  const folder = join(await temporaryFolder(), 'data');
  const free = await Promise.all(startPorts.map(async (name) => [name, String(await freePort())]));
  const right = {
    LEADBACK_FOLDER: folder,
    OPERATIONS_PORT_BASE: String(await freePort(4)),
    ...Object.fromEntries(free),
  };
  const { status, out, err } = await run(['scripts/start.ts'], { ...right, ...wrong });
  expect([status, out]).toEqual([1, '']);
  expect(existsSync(folder)).toBe(false);
  return err.trim();
};

it.each([
  [
    { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:9/x' },
    'DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:9 (',
  ],
  [
    { AMQP_URL: 'amqp://me:hidden@127.0.0.1:9/x' },
    'AMQP_URL: RabbitMQ at 127.0.0.1:9 cannot be reached (ECONNREFUSED)',
  ],
  [{ DATABASE_URL: '127.0.0.1:5432' }, 'DATABASE_URL: expected a URL such as postgres://'],
  [{ AMQP_URL: 'http://127.0.0.1:5672' }, 'AMQP_URL: expected a URL such as amqp://'],
  [{ API_PORT: 'http' }, 'API_PORT: expected the number of a port, from 1 to 65535'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY: expected 32 bytes in base64'],
  [{ API_PORT: '8088', SHOP_PORT: '8088' }, 'port 8088 is wanted twice: by API_PORT and SHOP_PORT; set one of them'],
  [
    { CONSOLE_PORT: '8090', OPERATIONS_PORT_BASE: '8088' },
    'port 8090 is wanted twice: by CONSOLE_PORT and OPERATIONS_PORT_BASE, which takes four ports from 8088 on;',
  ],
  [{ LEADBACK_FOLDER: '/proc/leadback' }, 'cannot write to /proc/leadback ('],
])(
  'npm start names the setting that is wrong, without secrets, before it starts anything: %o',
  async (wrong, reason) => {
    const said = await refusedStart(wrong);
    expect(said.startsWith(reason)).toBe(true);
    expect(said).not.toMatch(/hidden|\n +at /);
  },
);

const portInUse = async (): Promise<number> => {
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return z.object({ port: z.number() }).parse(server.address()).port;
};

it('npm start names the settings of all ports that are in use', async () => {
  const [sandbox, console] = [await portInUse(), await portInUse()];
  const said = await refusedStart({ SANDBOX_PORT: String(sandbox), CONSOLE_PORT: String(console) });
  expect(said).toContain(
    `port ${sandbox} is in use; set SANDBOX_PORT to another port\nport ${console} is in use; set CONSOLE_PORT to another port`,
  );
});

it('npm start -- --code says how to start what does not run', async () => {
  const { status, err } = await run(['scripts/start.ts', '--code'], { LEADBACK_FOLDER: await temporaryFolder() });
  expect([status, err]).toEqual([2, expect.stringContaining('nothing runs in')]);
});

it('npm test with a path runs the tests there and no others', async () => {
  const { status, out } = await run(['scripts/test.ts', 'scripts/start']);
  expect(new Set(out.match(/\S+\.test\.ts/g))).toEqual(new Set(['scripts/start/keep-running.test.ts']));
  expect(lastLine(out)).toMatch(/^[1-9]\d* passed, 0 failed$/);
  expect(status).toBe(0);
});

it('npm test says that it was interrupted, and what has not run to its end', async () => {
  let isInterrupted = false;
  // all of them take minutes
  const { status, out } = await run(['scripts/test.ts', 'apps'], {}, (printed, interrupt) => {
    if (isInterrupted || !printed.includes(' RUN ')) return;
    isInterrupted = true; // a second signal would end it at once
    interrupt();
  });
  expect(lastLine(out)).toBe('0 passed, 0 failed; interrupted before the end of: tests');
  expect(status).toBe(1);
});

/** A repository whose task `hello` says hello, with everything installed, and a PATH without pnpm. */
const givenInstalled = async () => {
  const folder = await temporaryFolder();
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  write('package.json', JSON.stringify({ packageManager: 'pnpm@12.0.0', type: 'module' }));
  write('pnpm-workspace.yaml', 'packages:\n  - scripts\n');
  write('pnpm-lock.yaml', 'lock');
  write('node_modules/.pnpm/lock.yaml', 'lock');
  write('scripts/hello.ts', "process.stdout.write('hello');");
  copyFileSync(join(root, 'scripts/run.mjs'), join(folder, 'scripts/run.mjs'));
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
  write('pnpm/pnpm', '#!/bin/sh\necho 12.0.0\n', 0o755);
  // in place of the npm registry
  write('bin/npx', `#!/bin/sh\necho fetched >> ${folder}/fetched\necho ${folder}/pnpm/pnpm\n`, 0o755);
  const hello = () => run([join(folder, 'scripts/run.mjs'), 'hello'], { PATH: `${folder}/bin:/usr/bin:/bin` });
  return { hello, note: join(folder, 'node_modules/.pnpm-12.0.0-folder'), fetched: join(folder, 'fetched') };
};

it('runs of npm scripts at the same time do not fetch pnpm again: none rewrites what the others read', async () => {
  const { hello, note, fetched } = await givenInstalled();
  expect(await hello()).toMatchObject({ status: 0, out: 'hello' });
  expect(readFileSync(fetched, 'utf8')).toBe('fetched\n');
  const { ino, mtimeMs } = statSync(note);
  for (const { status, out, err } of await Promise.all(Array.from({ length: 8 }, hello)))
    expect([status, out, err]).toEqual([0, 'hello', '']);
  expect(readFileSync(fetched, 'utf8')).toBe('fetched\n');
  expect(statSync(note)).toMatchObject({ ino, mtimeMs });
});
