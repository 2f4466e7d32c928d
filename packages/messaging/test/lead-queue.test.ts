import { randomBytes } from 'node:crypto';
import { type Keys, encryptLead, type BufferedLead, bufferedLeadKeys } from '@leadback/domain';
import { givenBroker, unique, bufferedLead } from '@leadback/test-fixtures';
import { asBrokerUser, type LocalBroker } from '@leadback/local-stack';
import { connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLeadQueue, replayDeadLeads } from '../src/index.ts';
import type { LeadQueueOptions } from '../src/lead-queue.ts';
import { deadLeadQueue, declareLeads, leadExchange, leadQueue } from '../src/topology.ts';

const keys = bufferedLeadKeys([randomBytes(32)]);
const changeWithLockRetry = { timeout: 25_000, interval: 50 };

const lead = (reference: string) =>
  bufferedLead({ reference, clickParameters: { gclid: 'G' }, email: 'ana@example.com' });

const isTaken = (mailbox: { enqueue(lead: BufferedLead): Promise<boolean> }, given: BufferedLead) =>
  vi.waitFor(async () => expect(await mailbox.enqueue(given)).toBe(true), changeWithLockRetry);

describe('the mailbox for leads', () => {
  let broker: LocalBroker;
  beforeAll(async () => {
    broker = await givenBroker();
  });
  afterAll(() => broker[Symbol.asyncDispose]());

  /** Opens mailboxes, and the bare broker, on a virtual host of their own. */
  const givenHost = async () => {
    const virtualHost = unique('host');
    const url = await broker.addVirtualHost(virtualHost);
    const opened = new AsyncDisposableStack();
    const connection = await connect(url);
    connection.on('error', () => {});
    opened.defer(() => connection.close().catch(() => {})); // the broker may have been killed
    const channel = await connection.createConfirmChannel();
    await declareLeads(channel);
    const onDead = vi.fn<() => void>();
    const onPublished = vi.fn<NonNullable<LeadQueueOptions['onPublished']>>();
    return {
      url,
      channel,
      /** Of each lead that was handed to the broker, how long it took and whether it was confirmed. */
      publishedSoFar: () => onPublished.mock.calls.map(([publication]) => publication),
      deadSoFar: () => onDead.mock.calls.length,
      /** A mailbox of somebody who can write. */
      open: (record: (lead: BufferedLead) => Promise<boolean>, its: Keys = keys) => {
        const mailbox = opened.use(
          openLeadQueue({ url: asBrokerUser(url, 'landing'), keys: its, record, onDead, onPublished }),
        );
        mailbox.setConsuming(true);
        return mailbox;
      },
      lengthOf: async (queue: string) => (await channel.checkQueue(queue)).messageCount,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  };
  it('gives a lead to whoever can record it, as it was put in, and knows when it is empty', async () => {
    await using host = await givenHost();
    const gate = Promise.withResolvers<void>();
    const recorded: BufferedLead[] = [];
    const mailbox = host.open(async (given) => {
      await gate.promise;
      recorded.push(given);
      return true;
    });
    await isTaken(mailbox, lead('A'));
    expect(await mailbox.mayHoldLeads()).toBe(true);
    expect(await mailbox.mayHoldLeads()).toBe(true);
    gate.resolve();
    await vi.waitFor(() => expect(recorded).toEqual([lead('A')]), changeWithLockRetry);
    await vi.waitFor(async () => expect(await mailbox.mayHoldLeads()).toBe(false), changeWithLockRetry);
  });

  it('leaves its leads to others while it cannot write them', async () => {
    await using host = await givenHost();
    const first = host.open(async () => {
      throw new Error('the database is away');
    });
    await isTaken(first, lead('A'));
    first.setConsuming(false);
    const recorded: string[] = [];
    host.open(async ({ reference }) => {
      recorded.push(reference);
      return true;
    });
    await vi.waitFor(() => expect(recorded).toEqual(['A']), changeWithLockRetry);
    await vi.waitFor(async () => expect(await first.mayHoldLeads()).toBe(false), changeWithLockRetry);
  });

  it('gives a lead again that could not be recorded', async () => {
    await using host = await givenHost();
    let tries = 0;
    const mailbox = host.open(async () => {
      tries += 1;
      if (tries < 3) throw new Error('the database is away');
      return true;
    });
    await isTaken(mailbox, lead('A'));
    await vi.waitFor(() => expect(tries).toBe(3), changeWithLockRetry);
    await vi.waitFor(async () => expect(await mailbox.mayHoldLeads()).toBe(false), changeWithLockRetry);
    expect(host.deadSoFar()).toBe(0);
  }, 60_000);

  it('never tires of a lead', async () => {
    await using host = await givenHost();
    host.channel.publish(leadExchange, leadQueue, Buffer.from('a lead'), { persistent: true });
    await host.channel.waitForConfirms();
    for (let delivery = 0; delivery < 50; delivery += 1) {
      const message = await host.channel.get(leadQueue);
      if (message) host.channel.reject(message, true);
    }
    await vi.waitFor(async () => expect(await host.lengthOf(leadQueue)).toBe(1), changeWithLockRetry);
    expect(await host.lengthOf('lead.dead.v1')).toBe(0);
  });

  it('lays aside what is none of our leads, and what can never be recorded', async () => {
    await using host = await givenHost();
    const mailbox = host.open(async ({ reference }) => reference !== 'impossible');
    await isTaken(mailbox, lead('impossible'));
    host.channel.publish(leadExchange, leadQueue, Buffer.from('garbage'), { persistent: true });
    await host.channel.waitForConfirms();
    await isTaken(mailbox, lead('possible'));
    await vi.waitFor(async () => expect(await host.lengthOf('lead.dead.v1')).toBe(2), changeWithLockRetry);
    expect(host.deadSoFar()).toBe(2);
    await vi.waitFor(async () => expect(await mailbox.mayHoldLeads()).toBe(false), changeWithLockRetry);
  });

  it('gives what was laid aside once more, when somebody says so and the key for it is there', async () => {
    await using host = await givenHost();
    const former = bufferedLeadKeys([randomBytes(32)]);
    const recorded: string[] = [];
    const record = async ({ reference }: BufferedLead) => recorded.push(reference) > 0;
    const first = host.open(record);
    for (let number = 0; number < 150; number += 1) {
      const content = encryptLead(former, lead(`lead ${number}`));
      host.channel.publish(leadExchange, leadQueue, content, { persistent: true });
    }
    // at least: the broker may lay one of them aside twice
    const haveDied = () =>
      vi.waitFor(
        async () => expect(await host.lengthOf(deadLeadQueue)).toBeGreaterThanOrEqual(150),
        changeWithLockRetry,
      );
    await haveDied();

    // those that nobody can open yet are laid aside again, and it ends
    const asOperator = asBrokerUser(host.url, 'operator');
    expect(await replayDeadLeads(asOperator)).toBeGreaterThanOrEqual(150);
    await haveDied();
    expect(recorded).toEqual([]);
    first.setConsuming(false);
    host.open(record, [...keys, ...former]);
    expect(await replayDeadLeads(asOperator)).toBeGreaterThanOrEqual(150);
    await vi.waitFor(() => expect(new Set(recorded).size).toBe(150), changeWithLockRetry);
  }, 60_000);

  it('takes nothing that the broker does not keep, and says how long that took', async () => {
    await using host = await givenHost();
    const mailbox = host.open(async () => true);
    await isTaken(mailbox, lead('A'));
    await host.channel.unbindQueue(leadQueue, leadExchange, leadQueue);
    expect(await mailbox.enqueue(lead('B'))).toBe(false);
    const some: unknown = expect.any(Number);
    expect(host.publishedSoFar()).toEqual([
      { isConfirmed: true, durationMs: some },
      { isConfirmed: false, durationMs: some },
    ]);
  });

  it('is put into by nobody while the broker is gone, and holds what it held', async () => {
    await using host = await givenHost();
    const mailbox = host.open(async () => true);
    await isTaken(mailbox, lead('A'));
    await broker.kill();
    expect(await mailbox.enqueue(lead('B'))).toBe(false);
    expect(await mailbox.mayHoldLeads()).toBe(true);
    await broker.start();
    await vi.waitFor(async () => expect(await mailbox.mayHoldLeads()).toBe(false), changeWithLockRetry);
  }, 90_000);
});
