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
  const waits = new Map<string, Map<string, number>>();
  for (const { platform, eventId, receivedAtMs } of await receivedEvents(stack)) {
    const responded = respondedAt.get(eventId);
    if (responded === undefined) continue;
    const ofPlatform = waits.get(platform) ?? new Map<string, number>();
    waits.set(platform, ofPlatform);
    // the first of several copies
    if (!ofPlatform.has(eventId)) ofPlatform.set(eventId, receivedAtMs - responded);
  }
  return new Map([...waits].map(([platform, ofPlatform]) => [platform, [...ofPlatform.values()]]));
};
