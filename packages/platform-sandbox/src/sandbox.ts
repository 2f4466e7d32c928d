import type { Behaviours } from './behaviour.ts';
import type { ReceivedEvents } from './received-events.ts';

/** Shared by the platforms and the inspection endpoints. */
export interface Sandbox {
  readonly received: ReceivedEvents;
  readonly behaviours: Behaviours;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
