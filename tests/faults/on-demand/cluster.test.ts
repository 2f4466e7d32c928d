import { hintQueue, leadQueue } from '@leadback/messaging';
import { eventually, givenLandingPage, type TcpProxy, tcpProxy } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerAdmin } from '../../support/broker-admin.ts';
import { type Clicks, clicksOn } from '../../support/clicks.ts';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered, flowsAgain } from '../../support/feedback.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { sumIn } from '../../support/metrics.ts';
import { givenRabbitmqCluster, type RabbitmqNodes } from '../../support/rabbitmq-cluster/given-rabbitmq-cluster.ts';

const testMs = 900_000;

const since = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;
const say = (text: string) => process.stdout.write(`${text}\n`);

describe('three nodes of RabbitMQ', () => {
  let cluster: RabbitmqNodes;
  let stack: TestStack;
  let ledger: Ledger;
  let clicks: Clicks;
  let toDatabase: TcpProxy; // of landing alone

  beforeAll(async () => {
    cluster = await givenRabbitmqCluster();
    stack = await givenStack(cluster);
    ledger = await givenLedger(stack);
    clicks = clicksOn(await givenLandingPage(stack.database.em()), stack);
    toDatabase = await tcpProxy(stack.database.url);
    await Promise.all([
      stack.start('api'),
      stack.start('feedback-worker'),
      stack.start('landing', { databaseUrl: toDatabase.url }),
    ]);
    await cluster.grow();
    await cluster.areWhole(hintQueue, leadQueue);
    await flowsAgain(stack.database, ledger);
  }, testMs);
  afterAll(async () => {
    await toDatabase[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  /** Waits at most 30 s, which is promised, until RabbitMQ confirms hints and a worker consumes them. */
  const hintsFlow = async () => {
    const confirmed = async () => sumIn(await stack.metricsOf('api'), 'leadback_hints_total', { outcome: 'confirmed' });
    const before = await confirmed();
    await eventually(
      async () => {
        expect(await confirmed()).toBeGreaterThan(before);
        // that of a node that was killed may be counted as well, until the node is back
        expect((await brokerAdmin(cluster).look()).consumerCount).toBeGreaterThan(0);
      },
      { timeout: 30_000, interval: 100 },
    );
    await flowsAgain(stack.database, ledger);
  };
  const start = async (nodes: RabbitmqNodes['nodes']) => {
    const at = performance.now();
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.areWhole(hintQueue, leadQueue);
    say(`all members run ${since(at)} after their nodes were started`);
  };

  it(
    'deliver accepted conversions once, with hints again within 30 s, each time their leader is killed under load',
    async () => {
      const load = ledger.load(100);
      for (let kills = 0; kills < cluster.nodes.length; kills += 1) {
        const leader = await cluster.leaderOf(hintQueue);
        await load.more(100);
        const at = performance.now();
        await leader.kill();
        await load.more(100);
        await hintsFlow();
        say(`${leader.name} led and was killed: hints flow again after ${since(at)}`);
        await start([leader]);
      }
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
      say(`${entries.length} conversions were accepted`);
    },
    testMs,
  );

  it(
    'keep every lead that waits for PostgreSQL if the leader of their queue is killed and stays away',
    async () => {
      const coming = clicks.coming('leader');
      await coming.more(50);
      toDatabase.cut();
      await coming.more(100);
      await clicks.areKept('at_broker');
      const all = await coming.stop();
      const leader = await cluster.leaderOf(leadQueue);
      await leader.kill();
      await toDatabase.heal();
      await clicks.haveLeads(all);
      expect(await clicks.countLost()).toBe(0);
      say(`${leader.name} led and was killed: ${all.length} visitors have their leads`);
      await start([leader]);
    },
    testMs,
  );

  it(
    'stop when two are killed: deliveries are found in PostgreSQL, and leads wait on the disk',
    async () => {
      const [first, second] = cluster.nodes;
      if (!first || !second) throw new Error('a cluster has three nodes');
      const load = ledger.load(100);
      const coming = clicks.coming('two');
      await Promise.all([load.more(50), coming.more(50)]);
      await Promise.all([first.kill(), second.kill()]);
      toDatabase.cut();
      await Promise.all([load.more(100), coming.more(100)]);
      await clicks.areKept('on_disk');
      await areDelivered(stack.database, await ledger.register(4));

      await start([first, second]);
      await toDatabase.heal();
      await hintsFlow();
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      await clicks.haveLeads(await coming.stop());
      expect(await clicks.countLost()).toBe(0);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    testMs,
  );
});
