import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { z } from 'zod';

const receivedEventSchema = z.object({
  platform: z.string(),
  /** ISO 8601. */
  receivedAt: z.string(),
  /**
   * What the platform calls it: the pixel id, the conversion action id, the pixel code, the conversion rule id, the
   * name of the conversion goal.
   */
  connection: z.string(),
  event: z.unknown(),
  /** Meta and TikTok: sent as a test; the platform would show it only under "Test events". */
  testEventCode: z.string().optional(),
});

export type ReceivedEvent = z.infer<typeof receivedEventSchema>;

export interface ReceivedEvents {
  add(of: Pick<ReceivedEvent, 'platform' | 'connection' | 'testEventCode'>, events: readonly unknown[]): void;
  newestFirst(): readonly ReceivedEvent[];
  clear(): void;
}

interface Options {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly eventsMax: number;
  readonly file?: string | undefined;
}

const readRows = (file: string): ReceivedEvent[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [receivedEventSchema.parse(JSON.parse(line))];
      } catch {
        return []; // a line truncated by a kill; its event was not acknowledged
      }
    });

/**
 * Every copy of every accepted event, one row each, at most `eventsMax`; then the oldest are removed. With a file, events
 * are written to it before they are acknowledged, and the next sandbox reads them again.
 */
export const createReceivedEvents = ({ now, eventsMax, file }: Options): ReceivedEvents => {
  const rows: ReceivedEvent[] = file !== undefined && existsSync(file) ? readRows(file) : [];
  return {
    add: (of, events) => {
      const receivedAt = new Date(now()).toISOString();
      const added = events.map((event) => ({ ...of, receivedAt, event }));
      if (file !== undefined) appendFileSync(file, added.map((row) => `${JSON.stringify(row)}\n`).join(''));
      rows.push(...added);
      if (rows.length > eventsMax) rows.splice(0, rows.length - eventsMax);
    },
    newestFirst: () => rows.toReversed(),
    clear: () => {
      if (file !== undefined) writeFileSync(file, '');
      rows.length = 0;
    },
  };
};

/** What a platform counts of an event. */
export interface CountedEvent {
  /** Events with the same id are one conversion: the last one overwrites value and currency. */
  readonly id: string;
  readonly value?: number | undefined;
  readonly currency?: string | undefined;
}

/** What the page and the behaviours need to know about a platform. */
export interface PlatformFacts {
  readonly name: string;
  /** A CSS colour for the page of events; supports light and dark mode. */
  readonly color: string;
  /** Whether it reports the status of accepted requests later. */
  readonly reportsStatus: boolean;
  /** Of an accepted event. Missing: the sandbox does not say what the platform counts. */
  readonly countedAs?: (event: unknown) => CountedEvent;
}

/** A conversion as a platform counts it. */
interface CountedConversion extends CountedEvent {
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

const digests = ['', 'null', 'undefined'].map((nothing) => createHash('sha256').update(nothing).digest());
const hashes = new Set([
  ...digests.map((digest) => digest.toString('hex')),
  ...digests.map((digest) => digest.toString('base64')),
]);

/** Whether it is the hash of a missing value: no platform matches a person by it, and none reports it as an error. */
export const isHashOfNothing = (hash: string): boolean => hashes.has(hash);
