import { randomBytes } from 'node:crypto';
import { type Keys, encryptLead, type BufferedLead, bufferedLeadKeys } from '@leadback/domain/keys';
import { bufferedLead, eventually, givenBroker, virtualHostsInAdvance, shared } from '@leadback/testing';
import { asBrokerUser } from '@leadback/testing/stack';
import { connect } from 'amqplib';
import { describe, expect, it, vi } from 'vitest';
import { openLeadQueue, replayDeadLeads } from '../../src/broker/index.ts';
import type { LeadQueueOptions } from '../../src/broker/lead-queue.ts';
import { deadLeadQueue, declareLeads, leadExchange, leadQueue } from '../../src/broker/topology.ts';

const keys = bufferedLeadKeys([randomBytes(32)]);

const lead = (reference: string) =>
  bufferedLead({ reference, clickParameters: { gclid: 'G' }, email: 'ana@example.com' });

const isTaken = (queue: { enqueue(lead: BufferedLead): Promise<boolean> }, given: BufferedLead) =>
  eventually(async () => expect(await queue.enqueue(given)).toBe(true));

describe('lead queue', async () => {
  const broker = await shared(givenBroker());
  const nextHost = virtualHostsInAdvance(broker);

  /** Opens lead queues, and a plain channel, on their own virtual host. */
  const givenHost = async () => {
    const { name: virtualHost, url } = await nextHost();
    const opened = new AsyncDisposableStack();
    const connection = await connect(url);
    connection.on('error', () => {});
    opened.defer(() => connection.close().catch(() => {})); // RabbitMQ may have been killed
    const channel = await connection.createConfirmChannel();
    await declareLeads(channel);
    const onDead = vi.fn<() => void>();
    const onFull = vi.fn<() => void>();
    const onPublished = vi.fn<NonNullable<LeadQueueOptions['onPublished']>>();
    return {
      url,
      virtualHost,
      channel,
      /** Per published lead, the duration and whether it was confirmed. */
      publishedSoFar: () => onPublished.mock.calls.map(([publication]) => publication),
      fullSoFar: () => onFull.mock.calls.length,
      deadSoFar: () => onDead.mock.calls.length,
      /** A lead queue of an app that can record. */
      open: (record: (lead: BufferedLead) => Promise<boolean>, its: Keys = keys) => {
        const queue = opened.use(
          openLeadQueue({ url: asBrokerUser(url, 'landing'), keys: its, record, onDead, onFull, onPublished }),
        );
        queue.setConsuming(true);
        return queue;
      },
      lengthOf: async (queue: string) => (await channel.checkQueue(queue)).messageCount,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  };
  it('records a buffered lead unchanged, and detects that the lead queue is empty', async () => {
    await using host = await givenHost();
    const gate = Promise.withResolvers<void>();
    const recorded: BufferedLead[] = [];
    const queue = host.open(async (given) => {
      await gate.promise;
      recorded.push(given);
      return true;
    });
    await isTaken(queue, lead('A'));
    expect(await queue.mayHoldLeads()).toBe(true);
    expect(await queue.mayHoldLeads()).toBe(true);
    gate.resolve();
    await eventually(() => expect(recorded).toEqual([lead('A')]));
    await eventually(async () => expect(await queue.mayHoldLeads()).toBe(false));
  });

  it('keeps dead-lettered leads for 30 days: they have personal data', async () => {
    await using host = await givenHost();
    const policies = await broker.ctl('list_policies', '--vhost', host.virtualHost);
    expect(policies).toContain(String.raw`^lead\.dead\.v[0-9]+$`);
    expect(policies).toContain(`"message-ttl":${30 * 86_400_000}`);
  });

  it('limits the bytes of dead-lettered leads, and keeps what no longer fits among the buffered ones', async () => {
    await using host = await givenHost();
    const list = (...columns: readonly string[]) =>
      broker.ctl('list_queues', '--vhost', host.virtualHost, '--no-table-headers', 'name', ...columns);
    expect(await list('arguments')).toMatch(/lead\.dead\.v1.*"x-max-length-bytes",1073741824/);
    expect(await broker.ctl('list_policies', '--vhost', host.virtualHost)).toMatch(
      /lead\\\.dead.*"max-length-bytes":1073741824/,
    );
    const small = ['days-and-bytes-of-dead-leads', String.raw`^lead\.dead\.v[0-9]+$`, '{"max-length-bytes":20000}'];
    await broker.ctl('set_policy', '--vhost', host.virtualHost, ...small, '--apply-to', 'queues');
    host.open(async () => true);
    for (let number = 0; number < 60; number += 1) {
      host.channel.publish(leadExchange, leadQueue, randomBytes(1_000), { persistent: true });
    }
    await host.channel.waitForConfirms();
    await eventually(() => expect(host.deadSoFar()).toBe(60));
    const lengths = async () =>
      Object.fromEntries(
        (await list('messages'))
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      );
    await eventually(async () => {
      const { [deadLeadQueue]: dead, [leadQueue]: buffered } = await lengths();
      expect(Number(dead)).toBeGreaterThanOrEqual(20);
      expect(Number(dead)).toBeLessThan(60);
      expect(Number(dead) + Number(buffered)).toBeGreaterThanOrEqual(60);
    });
  });

  it('refuses leads, and says so, while the queue has more bytes than its policy allows', async () => {
    await using host = await givenHost();
    const policies = () => broker.ctl('list_policies', '--vhost', host.virtualHost);
    expect(await policies()).toContain('{"max-length-bytes":1073741824}');
    const small = ['bytes-of-leads', String.raw`^lead\.waiting\.v[0-9]+$`, '{"max-length-bytes":20000}'];
    await broker.ctl('set_policy', '--vhost', host.virtualHost, ...small, '--apply-to', 'queues');
    const recorded: string[] = [];
    const queue = host.open(async ({ reference }) => {
      recorded.push(reference);
      return true;
    });
    queue.setConsuming(false);
    await isTaken(queue, lead('first'));
    let taken = 1;
    await eventually(async () => {
      const isConfirmed = await queue.enqueue({ ...lead(`L${taken}`), landingUrl: randomBytes(1_000).toString('hex') });
      if (isConfirmed) taken += 1;
      expect(isConfirmed).toBe(false);
    });
    expect(host.fullSoFar()).toBeGreaterThan(0);
    expect(await host.lengthOf(leadQueue)).toBe(taken);
    queue.setConsuming(true);
    await eventually(() => expect(new Set(recorded).size).toBe(taken));
    await isTaken(queue, lead('last'));
  });

  it('leaves buffered leads to other apps while it cannot record them', async () => {
    await using host = await givenHost();
    const first = host.open(async () => {
      throw new Error('PostgreSQL unavailable');
    });
    await isTaken(first, lead('A'));
    first.setConsuming(false);
    const recorded: string[] = [];
    host.open(async ({ reference }) => {
      recorded.push(reference);
      return true;
    });
    await eventually(() => expect(recorded).toEqual(['A']));
    await eventually(async () => expect(await first.mayHoldLeads()).toBe(false));
  });

  it('retries a buffered lead that could not be recorded', async () => {
    await using host = await givenHost();
    let tries = 0;
    const queue = host.open(async () => {
      tries += 1;
      if (tries < 3) throw new Error('PostgreSQL unavailable');
      return true;
    });
    await isTaken(queue, lead('A'));
    await eventually(() => expect(tries).toBe(3));
    await eventually(async () => expect(await queue.mayHoldLeads()).toBe(false));
    expect(host.deadSoFar()).toBe(0);
  });

  it('does not dead-letter a lead because of many redeliveries', async () => {
    await using host = await givenHost();
    host.channel.publish(leadExchange, leadQueue, Buffer.from('a lead'), { persistent: true });
    await host.channel.waitForConfirms();
    for (let delivery = 0; delivery < 50; delivery += 1) {
      const message = await host.channel.get(leadQueue);
      if (message) host.channel.reject(message, true);
    }
    await eventually(async () => expect(await host.lengthOf(leadQueue)).toBe(1));
    expect(await host.lengthOf('lead.dead.v1')).toBe(0);
  });

  it('dead-letters foreign messages and leads that can never be recorded', async () => {
    await using host = await givenHost();
    const queue = host.open(async ({ reference }) => reference !== 'impossible');
    await isTaken(queue, lead('impossible'));
    host.channel.publish(leadExchange, leadQueue, Buffer.from('garbage'), { persistent: true });
    await host.channel.waitForConfirms();
    await isTaken(queue, lead('possible'));
    await eventually(async () => expect(await host.lengthOf('lead.dead.v1')).toBe(2));
    expect(host.deadSoFar()).toBe(2);
    await eventually(async () => expect(await queue.mayHoldLeads()).toBe(false));
  });

  it('replays dead-lettered leads, and records them once their key is available', async () => {
    await using host = await givenHost();
    const former = bufferedLeadKeys([randomBytes(32)]);
    const recorded: string[] = [];
    const record = async ({ reference }: BufferedLead) => recorded.push(reference) > 0;
    const first = host.open(record);
    for (let number = 0; number < 150; number += 1) {
      const content = encryptLead(former, lead(`lead ${number}`));
      host.channel.publish(leadExchange, leadQueue, content, { persistent: true });
    }
    // at least: RabbitMQ may dead-letter a message twice
    const areDead = () =>
      eventually(async () => expect(await host.lengthOf(deadLeadQueue)).toBeGreaterThanOrEqual(150));
    await areDead();

    // leads without a key are dead-lettered again, and the replay ends
    const asOperator = asBrokerUser(host.url, 'operator');
    expect(await replayDeadLeads(asOperator)).toBeGreaterThanOrEqual(150);
    await areDead();
    expect(recorded).toEqual([]);
    first.setConsuming(false);
    host.open(record, [...keys, ...former]);
    expect(await replayDeadLeads(asOperator)).toBeGreaterThanOrEqual(150);
    await eventually(() => expect(new Set(recorded).size).toBe(150));
  });

  it('reports a lead that RabbitMQ does not confirm, and the duration', async () => {
    await using host = await givenHost();
    const queue = host.open(async () => true);
    await isTaken(queue, lead('A'));
    await host.channel.unbindQueue(leadQueue, leadExchange, leadQueue);
    expect(await queue.enqueue(lead('B'))).toBe(false);
    const some: unknown = expect.any(Number);
    expect(host.publishedSoFar()).toEqual([
      { isConfirmed: true, durationMs: some },
      { isConfirmed: false, durationMs: some },
    ]);
  });

  it('accepts no lead while RabbitMQ is unavailable, and keeps the buffered ones', async () => {
    await using host = await givenHost();
    const recorded: string[] = [];
    const queue = host.open(async ({ reference }) => {
      recorded.push(reference);
      return true;
    });
    queue.setConsuming(false);
    await isTaken(queue, lead('A'));
    // RabbitMQ writes a moment later that there is a new quorum queue, and finds none if it is killed before
    await broker.ctl('eval', 'lists:foreach(fun dets:sync/1, dets:all()).');
    await broker.kill();
    expect(await queue.enqueue(lead('B'))).toBe(false);
    expect(await queue.mayHoldLeads()).toBe(true);
    await broker.start();
    expect(recorded).toEqual([]);
    queue.setConsuming(true);
    await eventually(() => expect(recorded).toEqual(['A']));
    await eventually(async () => expect(await queue.mayHoldLeads()).toBe(false));
  });
});
