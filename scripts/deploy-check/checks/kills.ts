import { setTimeout as pause } from 'node:timers/promises';
import { assertNothingLost } from '../load/end-oracle.ts';
import { givenLoadedPartner } from '../load/partner.ts';
import { steadyLoad } from '../load/steady-load.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { isHealthy, killWithin } from '../stack/containers.ts';
import { until } from '../until.ts';
import type { RunningStack } from './up.ts';

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
