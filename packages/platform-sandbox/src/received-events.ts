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
  let rows: readonly ReceivedEvent[] = [];
  return {
    add: (platform, connection, events) => {
      const receivedAt = new Date(now()).toISOString();
      const added = events.map((event) => ({ platform, receivedAt, connection, event }));
      rows = [...rows, ...added].slice(-rowsMax);
    },
    newestFirst: () => rows.toReversed(),
    clear: () => {
      rows = [];
    },
  };
};
