import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { givenAdmin } from '../../start/accept-invitation.ts';
import { addresses } from '../load/addresses.ts';
import { assertNothingLost } from '../load/end-oracle.ts';
import { givenLoadedPartner, post } from '../load/partner.ts';
import { steadyLoad } from '../load/steady-load.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { killWithin } from '../stack/containers.ts';
import { type App, workOf } from '../stack/work-of.ts';
import { until } from '../until.ts';
import { consoleSession } from './console-session.ts';
import { type RunningStack, walkThrough } from './up.ts';

const instances = { landing: 2, api: 2, 'feedback-worker': 3, console: 2 } as const satisfies Record<App, number>;
// the worker first: its leases end while the others are killed and stopped
const replaced = ['feedback-worker', 'landing', 'api'] as const;
const loadMs = 2_000;
const shareMaxMs = 180_000;
const duplicatesMax = 500;

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
