import { asBrokerUser, type ClusterNode } from '@leadback/testing/stack';
import { hintPublisher, hintQueue, leadQueue } from '@leadback/server/broker';
import { eventually, givenLandingPage, type TcpProxy, tcpProxy } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clicks, clicksOn } from '../../support/clicks.ts';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered, flowsAgain } from '../../support/deliveries.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { givenRabbitmqCluster, type RabbitmqNodes } from '../../support/rabbitmq-cluster.ts';
import { say, since } from '../../support/long-run.ts';

const testMs = 900_000;
const kills = 5;

describe('the apps on three nodes of RabbitMQ', () => {
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
    await stack[Symbol.asyncDispose]();
    await toDatabase[Symbol.asyncDispose]();
  });

  const start = async (...nodes: readonly ClusterNode[]) => {
    const at = performance.now();
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.areWhole(hintQueue, leadQueue);
    say(`all members of the queues run ${since(at)} after their nodes were started`);
  };

  it(
    'deliver accepted conversions once, with hints within 30 s, each time the leader of their queue is killed under load',
    async () => {
      const load = ledger.load(100);
      for (let kill = 0; kill < kills; kill += 1) {
        const leader = await cluster.leaderOf(hintQueue);
        await load.more(100);
        const at = performance.now();
        await leader.kill();
        await flowsAgain(stack.database, ledger);
        say(`${leader.name} led and was killed: hints flow again after ${since(at)}`);
        await load.more(100);
        await start(leader);
      }
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
      say(`${entries.length} conversions were accepted`);
    },
    testMs,
  );

  it(
    'have hints confirmed within 30 s on connections that they open right after the leader is lost, while it is away',
    async () => {
      const leader = await cluster.leaderOf(hintQueue);
      const others = cluster.nodes.filter((node) => node !== leader);
      const at = performance.now();
      await leader.kill();
      await using publishers = new AsyncDisposableStack();
      await Promise.all(
        others.map(async ({ name, url }) => {
          const publisher = publishers.use(hintPublisher({ url: asBrokerUser(url, 'api') }));
          const publish = () => publisher.publish([{ id: 1, connectionId: 1, size: 1 }]);
          await eventually(async () => expect(await publish()).toBe(true), { timeout: 30_000 });
          say(`${name} confirms hints of a new connection after ${since(at)}`);
        }),
      );
      await start(leader);
    },
    testMs,
  );

  it(
    'lose no buffered lead if the leader of their queue is killed and stays away',
    async () => {
      await using coming = clicks.coming('leader');
      await coming.more(50);
      toDatabase.cut();
      await coming.more(100);
      await coming.areBuffered('at_broker');
      const leader = await cluster.leaderOf(leadQueue);
      await leader.kill();
      await coming.more(100);
      const all = await coming.stop();
      await toDatabase.heal();
      await clicks.haveLeads(all);
      expect(await coming.countLost()).toBe(0);
      say(`${leader.name} led and was killed: ${all.length} visitors have their leads`);
      await start(leader);
    },
    testMs,
  );

  it(
    'deliver from PostgreSQL and buffer leads on the disk while two of three nodes are away',
    async () => {
      const [first, second] = cluster.nodes;
      if (!first || !second) throw new Error('a cluster has three nodes');
      const load = ledger.load(100);
      await using coming = clicks.coming('two');
      await Promise.all([load.more(50), coming.more(50)]);
      await Promise.all([first.kill(), second.kill()]);
      toDatabase.cut();
      await Promise.all([load.more(100), coming.more(100)]);
      await coming.areBuffered('on_disk');
      await areDelivered(stack.database, await ledger.register(4));

      await start(first, second);
      await toDatabase.heal();
      await flowsAgain(stack.database, ledger);
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      await clicks.haveLeads(await coming.stop());
      expect(await coming.countLost()).toBe(0);
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
    testMs,
  );
});
