import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  assertNothingLost,
  administratorOf,
  givenLoadedPartner,
  post,
  steadyLoad,
  addresses,
  byHostName,
  givenWalker,
  walk,
} from './load.ts';
import type { Report } from './report.ts';
import { type ComposeStack, isHealthy, killWithin, until, type App, workOf, listQueues } from './stack.ts';
import { type RunningStack, walkThrough, consoleSession } from './one-machine.ts';
import { givenAdmin } from '../start/demo.ts';

// not the sandbox: what platforms have received would be lost. The worker first: its leases end while others are killed
const killedByDefault = ['feedback-worker', 'landing', 'api', 'console', 'rabbitmq', 'postgres'] as const;
const loadMs = 2_000;
// a killed worker repeats what it held
const duplicatesMax = 500;

/** Kills each container in turn under load, as a crash or the kernel would; Docker must start it again. */
export const checkKills = async (
  stack: ComposeStack,
  { demo, connections, requested }: RunningStack,
  { check, begin }: Report,
  killed: readonly string[] = killedByDefault,
): Promise<void> => {
  begin('kill -9');
  const partner = await givenLoadedPartner(demo);
  const load = steadyLoad(partner, connections);
  await pause(loadMs);
  for (const service of killed) {
    await check(`${service} is killed under load and comes back`, async () => {
      const container = await stack.container(service);
      const before = load.soFar();
      const start = performance.now();
      killWithin(container);
      await until(
        `${service} is healthy again`,
        async () => {
          const now = await stack.container(service);
          return now.RestartCount > container.RestartCount && isHealthy(now);
        },
        { timeoutMs: 90_000, everyMs: 200 },
      );
      const seconds = (performance.now() - start) / 1_000;
      await until('conversions are accepted', async () => load.soFar().accepted > before.accepted + 20);
      return `healthy after ${seconds.toFixed(1)} s`;
    });
    await pause(loadMs);
  }
  const sent = await load.stop();
  await check('nothing was lost and nothing leaked', () =>
    assertNothingLost(stack, partner, sent, { duplicatesMax, requested }),
  );
  requested.push(...sent.entries);
};

const instances = { landing: 2, api: 2, 'feedback-worker': 3, console: 2 } as const satisfies Record<App, number>;
// the worker first: its leases end while the others are killed and stopped
const replaced = ['feedback-worker', 'landing', 'api'] as const;

const shareMaxMs = 180_000;

/** A key whose account has few requests per second gets them from each instance, and no more. */
const checkRate = async (stack: ComposeStack): Promise<string> => {
  const [perSecond, burst, requests] = [5, 10, 120];
  const { id } = z
    .object({ id: z.coerce.number() })
    .parse(await stack.operate('account', 'create', '--name', 'Limited', '--rate-limit', String(perSecond)));
  const issued = await stack.operate('key', 'issue', '--account', String(id), '--name', 'limited');
  const { key } = z.object({ key: z.string() }).parse(issued);
  const start = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: requests }, async () => (await post(key, '/client', {})).status),
  );
  const seconds = Math.ceil((performance.now() - start) / 1_000);
  const served = statuses.filter((status) => status !== 429).length;
  const max = instances.api * (burst + perSecond * seconds);
  if (served < burst || served > max)
    throw new Error(`${served} of ${requests} served within ${seconds} s, not ${max}`);
  return `${served} of ${requests} served`;
};

const checkSessions = async (stack: ComposeStack): Promise<void> => {
  const person = await givenAdmin(stack.operate, addresses.console, 'scale@example.com');
  const { isKnown, signOut } = await consoleSession(addresses.console, person);
  const ask = async () => new Set(await Promise.all(Array.from({ length: 20 }, isKnown)));
  const before = await ask();
  await signOut();
  const after = await ask();
  if (before.has(false)) throw new Error('an instance did not know the session');
  if (after.has(true)) throw new Error('an instance knew the session after its end');
};

/** Several instances of each app behind HAProxy, in place of one: `deploy/compose/scale.yml`. */
export const checkScale = async (single: ComposeStack, running: RunningStack, report: Report): Promise<void> => {
  const { check, begin, say } = report;
  begin('scale');
  const stack = single.changedBy('scale');
  const names = Object.entries(instances).map(([app, count]) => `${count} ${app}`);
  const isUp = await check(`${names.join(', ')} start behind HAProxy`, async () => {
    await stack.compose('up', '--detach', '--wait', '--no-build');
  });
  if (isUp) {
    await check('one visitor goes through the balancer to the sandbox', () => walkThrough(running, say));
    await check('the sessions of the console count at both instances, and end at both', () => checkSessions(stack));
    await check('each instance limits the rate of a key', () => checkRate(stack));
    const partner = await givenLoadedPartner(running.demo);
    const load = steadyLoad(partner, running.connections);
    await check('all instances of landing, api and feedback-worker share the work', async () => {
      const seen: string[] = [];
      for (const app of replaced) {
        const look = async () => {
          const done = await workOf(app, await stack.containers(app));
          return done.length === instances[app] && done.every((count) => count > 0) && done;
        };
        const work = await until(`all ${app} work`, look, { timeoutMs: shareMaxMs });
        seen.push(`${app} ${work.join(' + ')}`);
      }
      return seen.join(', ');
    });
    await check('an instance of each is killed with -9, and the others go on', async () => {
      for (const app of replaced) {
        const [container] = await stack.containers(app);
        const { accepted } = load.soFar();
        killWithin(container);
        await until('conversions are accepted', async () => load.soFar().accepted > accepted + 20);
      }
      await stack.compose('up', '--detach', '--wait', '--no-build', '--no-recreate');
      return `${load.soFar().failed} requests without a response`;
    });
    await check('an instance of each stops and starts again, and no request fails', async () => {
      const before = load.soFar().failed;
      for (const app of replaced) {
        const [{ Id }] = await stack.containers(app);
        await stack.engine.docker('stop', '--time', '60', Id);
        await stack.engine.docker('start', Id);
        await stack.compose('up', '--detach', '--wait', '--no-build', '--no-recreate', app);
        await pause(loadMs);
      }
      const failed = load.soFar().failed - before;
      if (failed > 0) throw new Error(`${failed} requests failed`);
    });
    const sent = await load.stop();
    await check('nothing was lost, doubled or counted twice, and nothing leaked', () =>
      assertNothingLost(stack, partner, sent, { duplicatesMax, requested: running.requested }),
    );
    running.requested.push(...sent.entries);
  }
  await stack.compose('stop', 'balancer');
  await single.compose('up', '--detach', '--wait', '--no-build', '--remove-orphans');
};

const nodes = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const;
/** What is killed in turn, under load. */
export const killedInCluster = [...nodes, 'pgbouncer', 'postgres'] as const;

const queuesSchema = z.array(z.object({ name: z.string(), members: z.array(z.string()).or(z.string()) }));
const peersSchema = z.array(z.object({ role: z.string(), peer: z.string() }));

/** Looks whether queues have three members, and whether apps reach PostgreSQL through PgBouncer alone. */
export const checkCluster = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('cluster');
  await check('each queue gets a member on each of the three nodes', async () => {
    const start = Date.now();
    // one that was declared before the last node arrived gets its third member some ten seconds later
    const count = await until('three members of each queue', async () => {
      const queues = queuesSchema.parse(await listQueues(stack, 'name', 'members'));
      return queues.every(({ members }) => members.length === nodes.length) && queues.length;
    });
    return `${count} queues, after ${((Date.now() - start) / 1_000).toFixed(0)} s`;
  });
  await check('the apps reach PostgreSQL through PgBouncer alone', async () => {
    const { NetworkSettings } = await stack.container('pgbouncer');
    const own = new Set(Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress));
    await using database = await administratorOf(stack);
    const { rows } = await database.pool.query(
      `select usename as role, host(client_addr) as peer from pg_stat_activity where usename like 'leadback%'`,
    );
    const peers = peersSchema.parse(rows);
    const direct = peers.filter(({ peer }) => !own.has(peer));
    if (peers.length === 0 || direct.length > 0) throw new Error(JSON.stringify(direct));
    return `${peers.length} connections`;
  });
};

const balancerPort = 8080;
const idsPerCell = 10 ** 12;

const cells = [
  { name: 'a', number: 0, operator: 'operator' },
  { name: 'b', number: 1, operator: 'operator-b' },
] as const;
type Cell = (typeof cells)[number];

/** What one walk through a cell leaves to compare with the other. */
interface Walked {
  readonly cell: Cell;
  readonly apiKey: string;
  readonly conversionId: number;
}

const listSchema = z.array(
  z.object({
    cell: z.string(),
    number: z.number(),
    accounts: z.number(),
    conversionsToday: z.number(),
    conversionsYesterday: z.number(),
    problem: z.null(),
  }),
);

const apiOf = ({ name }: Cell) => byHostName(`api-${name}.localhost:${balancerPort}`, balancerPort);

/** The status of a request with the key of one cell to the api of another, or of the same. */
const statusIn = async (cell: Cell, apiKey: string): Promise<number> => {
  await using api = await apiOf(cell);
  const { status } = await fetch(`${api.url}/api/v1/client/conversions`, { headers: { 'x-api-key': apiKey } });
  return status;
};

/** Starts the two cells of deploy/compose/cells.yml, and uses each by its host names. */
export const checkCells = async (stack: ComposeStack, { check, begin, say }: Report): Promise<void> => {
  begin('cells');
  const operateIn =
    ({ operator }: Cell) =>
    async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse(await stack.compose('run', '--rm', '--no-TTY', operator, ...args, '--json'));
  const walkIn = async (cell: Cell): Promise<Walked> => {
    const demo = await givenWalker(operateIn(cell));
    const page = new URL(demo.landingPage);
    await using landing = await byHostName(page.host, balancerPort);
    await using api = await apiOf(cell);
    const there = { apiUrl: `${api.url}/api/v1`, sandboxUrl: addresses.sandbox };
    const { id } = await walk({ ...demo, landingPage: landing.url + page.pathname }, (text) => say(`  ${text}`), there);
    return { cell, apiKey: demo.apiKey, conversionId: id };
  };

  const isUp = await check('two cells start, each with its own database and virtual host', async () => {
    await stack.compose('up', '--detach', '--wait', '--no-build');
  });
  if (!isUp) return;
  const walked: Walked[] = [];
  for (const cell of cells) {
    await check(`one visitor goes through cell ${cell.name} by its host names`, async () => {
      const done = await walkIn(cell);
      walked.push(done);
      const cellOfId = Math.floor(done.conversionId / idsPerCell);
      if (cellOfId !== cell.number)
        throw new Error(`the conversion ${done.conversionId} has an id of cell ${cellOfId}`);
      return `conversion ${done.conversionId}`;
    });
  }
  await check('a key works in its own cell alone', async () => {
    for (const { cell: home, apiKey } of walked) {
      for (const cell of cells) {
        const status = await statusIn(cell, apiKey);
        const expected = cell === home ? 200 : 401;
        if (status !== expected) throw new Error(`the key of cell ${home.name} gets ${status} in ${cell.name}`);
      }
    }
  });
  await check('cell list shows both, each with its own account and conversion', async () => {
    const listed = listSchema.parse(await operateIn(cells[0])('cell', 'list'));
    const seen = listed.map((row) => [
      row.cell,
      row.number,
      row.accounts,
      row.conversionsToday + row.conversionsYesterday,
    ]);
    const expected = cells.map(({ name, number }) => [name, number, 1, 1]);
    if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(JSON.stringify(seen));
  });
  await check('doctor finds no error in either cell', async () => {
    for (const cell of cells) await operateIn(cell)('doctor');
  });
};
