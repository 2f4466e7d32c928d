import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
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
