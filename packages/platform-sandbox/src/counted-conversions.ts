import type { CountedEvent, PlatformFacts } from './platform-facts.ts';
import type { ReceivedEvent } from './received-events.ts';

/** A conversion as a platform counts it. */
export interface CountedConversion extends CountedEvent {
  readonly platform: string;
  readonly connection: string;
  /** How many events it got; the count of conversions is not raised by them. */
  readonly events: number;
}

const keyOf = ({ platform, connection, id }: Pick<CountedConversion, 'platform' | 'connection' | 'id'>) =>
  JSON.stringify([platform, connection, id]);

/** The conversions that platforms count after these events. */
export const countedConversions = (platforms: readonly PlatformFacts[], newestFirst: readonly ReceivedEvent[]) => {
  const counting = new Map(platforms.map(({ name, countedAs }) => [name, countedAs]));
  const conversions = new Map<string, CountedConversion>();
  for (const { platform, connection, event } of newestFirst) {
    const counted = counting.get(platform)?.(event);
    if (counted === undefined) continue;
    const key = keyOf({ platform, connection, id: counted.id });
    // the newest event is the first
    const known = conversions.get(key) ?? { platform, connection, ...counted, events: 0 };
    conversions.set(key, { ...known, events: known.events + 1 });
  }
  return {
    all: (): readonly CountedConversion[] => [...conversions.values()],
    /** The conversion that a platform counts an event as; undefined if the sandbox does not say. */
    of({ platform, connection, event }: ReceivedEvent): CountedConversion | undefined {
      const counted = counting.get(platform)?.(event);
      return counted && conversions.get(keyOf({ platform, connection, id: counted.id }));
    },
  };
};
