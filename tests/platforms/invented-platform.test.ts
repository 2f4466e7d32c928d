import { PlatformConnection } from '@leadback/db';
import { connectionKeys, decryptCredentials } from '@leadback/domain/keys';
import type { PlatformName } from '@leadback/domain';
import { platformSandbox, sandboxPlatforms } from '@leadback/platform-sandbox';
import { platformList, platformRegistry, platformSettings } from '@leadback/platforms';
import {
  givenAccount,
  givenConnection,
  givenDatabase,
  givenServer,
  secretsKeys,
  type TestDatabase,
  type TestServer,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { OperatorContext } from '../../apps/operator/src/command.ts';
import {
  changeConnection,
  checkConnection,
  createConnection,
  connectionTable,
} from '../../apps/operator/src/commands/connection.ts';
import { createProgram } from '../../apps/operator/src/program.ts';
import { inventedPlatform, inventedSandbox } from './invented-platform.ts';

// other files of this process have loaded what imports the list, and others will
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

// the line in the list of names; all other lists are parameters
vi.mock('@leadback/domain', async (load) => {
  const domain = await load<{ readonly platformNames: readonly string[] }>();
  return { ...domain, platformNames: [...domain.platformNames, 'invented'] };
});

const platforms = [...platformList, inventedPlatform];
const keys = connectionKeys(secretsKeys, 'invented');

describe('an invented platform', () => {
  const ours = new AsyncDisposableStack();
  let database: TestDatabase;
  let sandbox: TestServer;
  let context: OperatorContext;

  beforeAll(async () => {
    database = ours.use(await givenDatabase());
    sandbox = ours.use(await givenServer(platformSandbox({ platforms: [...sandboxPlatforms, inventedSandbox] })));
    context = {
      env: process.env,
      stdin: process.stdin,
      stderr: process.stderr,
      em: database.em(),
      actor: 'test',
      backupsKeptDays: 30,
      consoleUrl: 'http://127.0.0.1:9',
      pool: database.pool,
      progress: () => {},
      progressBar: () => {},
      secretsKeys,
      amqpUrl: undefined,
      landingUrl: 'https://go.example',
      databaseUrl: database.url,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: sandbox.url }, {}, platforms),
    };
  });
  afterAll(() => ours.disposeAsync());

  const program = (onResult: (result: unknown) => void = () => {}) =>
    createProgram(
      [createConnection(platforms), changeConnection(platforms), checkConnection],
      process,
      async (command, input) => onResult((await command.run(input, context)).result),
    );
  const type = async (line: string): Promise<unknown> => {
    const results: unknown[] = [];
    await program((result) => results.push(result)).parseAsync(line.split(' '), { from: 'user' });
    return results[0];
  };
  const stored = async (id: number) => {
    const { account, settings, credentials } = await database.em().findOneOrFail(PlatformConnection, id);
    const owner = { id, accountId: account.id };
    return { settings, credentials: decryptCredentials(keys, owner, Buffer.from(credentials)) };
  };

  it.each([
    ['create', 'or invented'],
    ['change', 'Invented: the site'],
  ])('the help of `connection %s` lists the options of an invented platform', (name, words) => {
    const [group] = program().commands;
    const help = group?.commands.find((one) => one.name() === name)?.helpInformation();
    expect(help).toMatch(/--site-id <id> +Invented: the site\n/);
    expect(help).toMatch(/--site-key \[@file or -\] +Invented: key of the site\n/);
    expect(help).toContain(words);
  });

  it('`connection create`, `change` and `check` work with an invented platform and the sandbox', async () => {
    const { id: account } = await givenAccount(database.em());
    const created = await type(
      `connection create --account ${account} --platform invented --site-id 7 --site-key a --from-argv-i-know`,
    );
    expect(created).toMatchObject({ platform: 'invented', state: 'active' });
    const { id } = z.object({ id: z.number() }).parse(created);
    await type(`connection change ${id} --site-key b --from-argv-i-know`);
    expect(await stored(id)).toEqual({ settings: { siteId: '7' }, credentials: { siteKey: 'b' } });

    expect(await type(`connection check ${id}`)).toMatchObject({ platform: 'invented', works: true });
    const received = await fetch(`${sandbox.url}/events`);
    // new credentials are checked, too
    const one = { platform: 'invented', connection: '7' };
    expect(await received.json()).toMatchObject([one, one]);
    await expect(type(`connection change ${id} --site-id x`)).rejects.toThrow('expected digits');
    await expect(type(`connection change ${id} --pixel-id 1`)).rejects.toThrow('Invented has no such setting');
  });

  it('apps read the settings of an invented platform', () => {
    const schema = z.object(platformSettings(platforms));
    const url = 'https://other.example';
    expect(schema.parse({ INVENTED_API_URL: url })).toEqual({ INVENTED_API_URL: url });
    expect(schema.safeParse({ INVENTED_API_URL: 'nowhere' }).success).toBe(false);
  });

  it('tests get connections to an invented platform by its sample', async () => {
    const platform = z.custom<PlatformName>((name) => platforms.some((one) => one.name === name)).parse('invented');
    const { id } = await givenConnection(database.em(), { platform }, platforms);
    const sample = { settings: { siteId: String(id) }, credentials: { siteKey: `key-${id}` } };
    expect(await stored(id)).toEqual(sample);
  });

  it('the sandbox accepts the behaviour of an invented platform, and shows it on its page', async () => {
    const behaviour = { platform: 'invented', answer: 'reset', times: 2 };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(behaviour);
    expect((await fetch(`${sandbox.url}/behaviour`, { method: 'PUT', headers, body })).status).toBe(200);
    const page = await (await fetch(sandbox.url)).text();
    expect(page).toContain('<b>invented</b> responds <code>reset</code> (2 more)');
    expect(page).toContain('.invented { --edge: purple; }');
  });

  it('the documentation describes the options of an invented platform', () => {
    expect(connectionTable(platforms)).toMatch(/## Invented\n\n(?:- .*\n)*- `--site-key`: key of the site/);
  });
});
