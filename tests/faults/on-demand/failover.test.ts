import { expect, it, vi } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { flowsAgain } from '../../support/feedback.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';
import { givenCluster } from '../../support/patroni/given-cluster.ts';

const testMs = 900_000;
const waitOptions = { timeout: 180_000, interval: 100 };

it(
  'loses nothing if the leader of PostgreSQL is lost and its synchronous standby is promoted',
  async () => {
    await using cluster = await givenCluster(true);
    await using stack = await givenStack(undefined, cluster.database);
    const ledger = await givenLedger(stack);
    await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const load = ledger.load(50);
    await load.more(200);

    const start = performance.now();
    cluster.leader.kill();
    await cluster.becomes(cluster.standby, 'leader');
    console.log('promoted', performance.now() - start);
    await vi.waitFor(async () => {
      const [entry] = await ledger.register(1);
      expect(entry?.statuses).toEqual([201]);
    }, waitOptions);
    console.log('201', performance.now() - start);
    await load.more(200);
    await load.stop();
    expect(await violationsAfter(stack, ledger, { duplicatesMax: 100 })).toEqual([]);
    await cluster.leader.start();
    await cluster.becomes(cluster.leader, 'standby');
    console.log('back', performance.now() - start, await cluster.leader.status());
  },
  testMs,
);
