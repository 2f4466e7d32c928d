import type { BenchStack } from './bench-stack.ts';
import type { Rate } from './load/load.ts';
import { receivedEvents } from './sandbox.ts';

/**
 * How long after the api's response each platform received the conversions of a load with a rate (`conversionAt`):
 * milliseconds, by platform.
 */
export const receiptsOf = async (
  stack: BenchStack,
  { responses }: Rate,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const respondedAt = new Map(responses.map(([number, atMs]) => [`O${number}`, atMs]));
  const events = (await receivedEvents(stack)).flatMap(({ platform, eventId, receivedAtMs }) => {
    const responded = respondedAt.get(eventId);
    return responded === undefined ? [] : [{ platform, waitedMs: receivedAtMs - responded }];
  });
  const byPlatform = Map.groupBy(events, ({ platform }) => platform);
  return new Map([...byPlatform].map(([platform, received]) => [platform, received.map(({ waitedMs }) => waitedMs)]));
};
