import type { Behaviours } from './behaviour.ts';
import type { ReceivedEvents } from './received-events.ts';

/** What the platforms and the inspection share. */
export interface Sandbox {
  readonly received: ReceivedEvents;
  readonly behaviours: Behaviours;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
