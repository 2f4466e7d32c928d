import type { PlatformName } from './platform-name.ts';

export interface ReceivedEvent {
  readonly platform: PlatformName;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** The pixel id or the conversion action id. */
  readonly connection: string;
  readonly event: unknown;
}

export interface ReceivedEvents {
  add(platform: PlatformName, connection: string, events: readonly unknown[]): void;
  newestFirst(): readonly ReceivedEvent[];
  clear(): void;
}

const rowsMax = 10_000;

/** Every copy of every event that was accepted, one row each; the oldest give way. */
export const createReceivedEvents = (now: () => number): ReceivedEvents => {
  const rows: ReceivedEvent[] = [];
  return {
    add: (platform, connection, events) => {
      const receivedAt = new Date(now()).toISOString();
      for (const event of events) rows.push({ platform, receivedAt, connection, event });
      rows.splice(0, rows.length - rowsMax);
    },
    newestFirst: () => rows.toReversed(),
    clear: () => {
      rows.length = 0;
    },
  };
};
