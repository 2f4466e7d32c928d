import { setTimeout as pause } from 'node:timers/promises';
import { conversionOf, givenClients, warmUp } from '../given-account.ts';
import { type Figures, quantile } from '../figures.ts';
import { send } from '../load.ts';
import { untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { receivedEvents } from '../sandbox.ts';

const perSecond = 100;

/** Sends one request each ten milliseconds, however long the others take; resolves with the time of each response. */
const atRate = async (seconds: number, work: (number: number) => Promise<string>): Promise<Map<string, number>> => {
  const start = performance.now();
  const responses: Promise<readonly [string, number]>[] = [];
  for (let number = 0; number < seconds * perSecond; number += 1) {
    await pause(Math.max(0, start + (number * 1_000) / perSecond - performance.now()));
    responses.push(work(number).then((eventId) => [eventId, Date.now()] as const));
  }
  return new Map(await Promise.all(responses));
};

export const latency: Part = {
  does: ({ seconds }) =>
    `latency: ${perSecond} conversions a second for ${seconds} s; from the API's response to the platform's receipt`,
  run: async (stack, { seconds }) => {
    const { conversion } = await givenClients(stack);
    await stack.startApp('sandbox');
    await stack.startApp('feedback-worker');
    await warmUp(stack, 4, () => send(conversion));
    await untilDelivered(stack.pool);

    const respondedAt = await atRate(seconds, async (number) => {
      const eventId = `L${number}`;
      await send({ ...conversion, body: () => conversionOf(eventId, number) });
      return eventId;
    });
    await untilDelivered(stack.pool);
    const events = (await receivedEvents(stack)).flatMap(({ platform, eventId, receivedAtMs }) => {
      const responded = respondedAt.get(eventId);
      return responded === undefined ? [] : [{ platform, waitedMs: receivedAtMs - responded }];
    });
    return [...Map.groupBy(events, ({ platform }) => platform)].reduce<Figures>((figures, [platform, received]) => {
      const waits = received.map(({ waitedMs }) => waitedMs);
      return {
        ...figures,
        [`${platform}: p50 ms`]: quantile(waits, 0.5),
        [`${platform}: p99 ms`]: quantile(waits, 0.99),
        [`${platform}: events`]: waits.length,
      };
    }, {});
  },
};
