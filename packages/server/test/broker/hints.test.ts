import { connect, createServer } from 'node:net';
import { ctlOfVirtualHost, eventually, givenVirtualHost } from '@leadback/testing';
import { asBrokerUser } from '@leadback/testing/stack';
import { connect as connectToBroker } from 'amqplib';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readHint, writeHint } from '../../src/broker/hints.ts';
import { hintConsumer, hintPublisher, hintQueue } from '../../src/broker/index.ts';
import { confirmedPublisher } from '../../src/broker/publisher.ts';
import { declareLeads, leadQueue } from '../../src/broker/topology.ts';

const isUp = (side: { isUp(): boolean }) => eventually(() => expect(side.isUp()).toBe(true));
const parcel = (id: number) => ({ id, connectionId: 7, size: 2 });

/** A connected publisher and an unstarted consumer on their own virtual host. */
const givenSides = async (handle: (parcelId: number) => Promise<void> = async () => {}) => {
  const url = await givenVirtualHost();
  const handled: number[] = [];
  const onDown = vi.fn<(reason: unknown) => void>();
  const publisher = hintPublisher({ url: asBrokerUser(url, 'api'), onDown });
  await isUp(publisher);
  return {
    publisher,
    onDown,
    handled,
    consume: () => {
      const consumer = hintConsumer({
        url: asBrokerUser(url, 'feedback-worker'),
        prefetch: 10,
        handle: async (parcels) => {
          for (const { id } of parcels) {
            await handle(id);
            handled.push(id);
          }
        },
      });
      consumer.setConsuming(true);
      return consumer;
    },
    ctl: (command: string, ...args: string[]) => ctlOfVirtualHost(url, command, ...args),
    /** The numbers of hints and their consumers: rabbitmqctl would tell them seconds later, and take a second of a core. */
    look: async () => {
      const connection = await connectToBroker(url);
      try {
        return await (await connection.createChannel()).checkQueue(hintQueue);
      } finally {
        await connection.close();
      }
    },
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
};

describe('hints', () => {
  it('keeps hints until a consumer connects, those of one commit in one message', async () => {
    await using sides = await givenSides();
    expect(await sides.publisher.publish([parcel(1), parcel(2), { ...parcel(3), traceParent: 'x' }])).toBe(true);
    await using _consumer = sides.consume();
    await eventually(() => expect(sides.handled).toEqual([1, 2, 3]));
  });

  it('takes no hint while it is told not to consume, and goes on when it is told to', async () => {
    await using sides = await givenSides();
    await using consumer = sides.consume();
    await isUp(consumer);
    consumer.setConsuming(false);
    await eventually(async () => expect(await sides.look()).toMatchObject({ consumerCount: 0 }));
    await sides.publisher.publish([parcel(1)]);
    expect(sides.handled).toEqual([]);
    consumer.setConsuming(true);
    await eventually(() => expect(sides.handled).toEqual([1]));
  });

  it('redelivers a hint whose handler failed', async () => {
    let tries = 0;
    await using sides = await givenSides(async () => {
      tries += 1;
      if (tries <= 2) throw new Error('PostgreSQL unavailable');
    });
    await using _consumer = sides.consume();
    await sides.publisher.publish([parcel(7)]);
    await eventually(() => expect(sides.handled).toEqual([7]));
    expect(tries).toBe(3);
  });

  it('finishes open hints before the consumer closes', async () => {
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await using sides = await givenSides(async () => {
      arrived.resolve();
      await gate.promise;
    });
    const consumer = sides.consume();
    await sides.publisher.publish([parcel(1)]);
    await arrived.promise;
    const closed = consumer[Symbol.asyncDispose]();
    gate.resolve();
    await closed;
    expect(sides.handled).toEqual([1]);
    // nobody holds it any more: had it not been confirmed, it would be there again
    await eventually(async () => expect(await sides.look()).toMatchObject({ consumerCount: 0, messageCount: 0 }));
  });

  it('does not confirm hints without a queue, and confirms them once a consumer has declared it', async () => {
    await using sides = await givenSides();
    await sides.ctl('delete_queue', hintQueue);
    expect(await sides.publisher.publish([parcel(1)])).toBe(false);
    await using _consumer = sides.consume();
    await eventually(async () => expect(await sides.publisher.publish([parcel(1)])).toBe(true));
    expect(sides.onDown).not.toHaveBeenCalled();
  });

  it('opens a new connection if RabbitMQ rejects all hints for five seconds, and goes on', async () => {
    await using sides = await givenSides();
    await sides.ctl('set_policy', 'full', hintQueue, '{"max-length":1,"overflow":"reject-publish"}');
    await eventually(async () => {
      await sides.publisher.publish([parcel(1)]);
      expect(sides.onDown).toHaveBeenCalledWith(
        expect.objectContaining({ message: expect.stringMatching(/^rejected all messages .* for \d+ s$/) }),
      );
    });
    await using _consumer = sides.consume();
    await eventually(async () => expect(await sides.publisher.publish([parcel(1)])).toBe(true));
  });

  it('drops messages of an unknown format or version', async () => {
    for (const foreign of [
      '',
      '{}',
      '{"v":1,"deliveryId":1}',
      '{"v":3,"parcels":[[1,1,1]]}',
      '{"v":2,"parcels":[[0,1,1]]}',
    ]) {
      expect(readHint(Buffer.from(foreign))).toBe(undefined);
    }
    expect(readHint(writeHint([parcel(1)]))).toEqual([parcel(1)]);
  });
});

// class 20, method 10
const channelOpen = Buffer.from([0, 20, 0, 10]);

const timesIn = (data: Buffer, part: Buffer) => data.toString('latin1').split(part.toString('latin1')).length - 1;

/** Forwards to a broker until it is told to hang, and counts the channels that clients want to open from then on. */
const givenHangingProxy = async (target: string) => {
  const url = new URL(target);
  const { hostname, port } = url;
  const closing = new AsyncDisposableStack();
  let hangs = false;
  let channelsWanted = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      closing.defer(() => void from.destroy());
      from.on('error', () => {});
      from.on('data', (data) => {
        if (!hangs) to.write(data);
        else if (from === client) channelsWanted += timesIn(data, channelOpen);
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url.port = String(z.object({ port: z.number() }).parse(server.address()).port);
  closing.defer(() => void server.close());
  return {
    url: url.href,
    hang: () => {
      hangs = true;
    },
    channelsWanted: () => channelsWanted,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
};

it('asks a broker that does not respond for the length of a queue only once, because each question takes a channel', async () => {
  await using proxy = await givenHangingProxy(asBrokerUser(await givenVirtualHost(), 'landing'));
  await using publisher = confirmedPublisher({ url: proxy.url, declare: declareLeads, confirmTimeoutMs: 10_000 });
  await eventually(async () => expect(await publisher.queueLength(leadQueue)).toBe(0));
  expect(await Promise.all([publisher.queueLength(leadQueue), publisher.queueLength('no.such.queue')])).toEqual([
    0,
    undefined,
  ]);
  expect(await publisher.queueLength(leadQueue)).toBe(0);

  proxy.hang();
  for (let time = 0; time < 4; time += 1) expect(await publisher.queueLength(leadQueue)).toBeUndefined();
  expect(proxy.channelsWanted()).toBe(1);
});
