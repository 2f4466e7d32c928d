import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../../../tests/support/random-from.ts';
import { checkStart } from '../checks/up.ts';
import { assertNothingLost } from '../load/end-oracle.ts';
import { givenLoadedPartner } from '../load/partner.ts';
import { steadyLoad } from '../load/steady-load.ts';
import type { Surroundings } from '../run-checks.ts';
import { isHealthy } from '../stack/containers.ts';
import { until } from '../until.ts';
import { type Fault, faults, services } from './faults.ts';
import { growthOf } from './growth.ts';
import { type Recovery, recoveryTable } from './recoveries.ts';

interface Options {
  readonly seconds: number;
  readonly seed: number;
}

// the sandbox keeps all events in memory
const load = { perSecond: 8, clicksPerSecond: 4 } as const;
const pauseMs = 30_000;
const recovery = { timeoutMs: 180_000, everyMs: 100 } as const;
// a killed or frozen worker repeats what it held
const duplicatesPerFault = 50;

/** Starts the stack and breaks one thing after another under load. Then compares what was promised with what is there. */
export const soak = async ({ stack, report }: Surroundings, { seconds, seed }: Options): Promise<void> => {
  const { begin, check } = report;
  const { demo, connections, requested } = await checkStart(stack, report);
  begin(`soak of ${seconds} s, seed ${seed}`);
  const random = randomFrom(seed);
  const growth = growthOf(stack);
  const partner = await givenLoadedPartner(demo);
  const running = steadyLoad(partner, connections, load);
  const recoveries: Recovery[] = [];
  let happened = 0;

  const recovered = (service: string) =>
    until(`${service} is healthy`, async () => isHealthy(await stack.container(service)), recovery);

  const breakOnce = ({ name, happen, service }: Fault) =>
    check(name, async () => {
      const before = running.soFar();
      const start = performance.now();
      await happen(stack, random);
      const over = performance.now();
      const accepted = async () => running.soFar().accepted > before.accepted + load.perSecond;
      await until('conversions are accepted', accepted, recovery);
      const acceptedAt = performance.now();
      await recovered(service);
      const after = running.soFar();
      const requestsFailed = after.failed - before.failed;
      recoveries.push({ fault: name, acceptedAgainMs: acceptedAt - over, requestsFailed });
      const [lasted, again] = [over - start, acceptedAt - over].map((ms) => (ms / 1_000).toFixed(1));
      return `lasted ${lasted} s, accepted again ${again} s later, ${requestsFailed} requests failed`;
    });

  for (const end = Date.now() + seconds * 1_000; Date.now() < end; happened += 1) {
    await growth.look();
    await pause(pauseMs);
    const fault = faults[Math.floor(random() * faults.length)];
    if (fault) await breakOnce(fault);
  }
  await check('everything is healthy after the last fault', async () => {
    for (const service of services) await recovered(service);
  });
  await pause(pauseMs);
  await growth.look();
  const sent = await running.stop();
  await check(`nothing was lost, doubled or leaked by ${happened} faults`, () =>
    assertNothingLost(stack, partner, sent, { duplicatesMax: happened * duplicatesPerFault, requested }),
  );
  await check('no app uses more memory, sockets or timers than in the beginning', async () => growth.compare());
  report.say(`recovery by kind of fault:\n${recoveryTable(recoveries)}`);
};
