import { connect, createServer } from 'node:net';
import { asBrokerUser } from '@leadback/testing/stack';
import { eventually, givenVirtualHost } from '@leadback/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { confirmedPublisher } from '../../src/broker/publisher.ts';
import { declareLeads, leadQueue } from '../../src/broker/topology.ts';

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
