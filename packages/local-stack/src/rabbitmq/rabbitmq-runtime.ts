import type { Child } from '../processes/child.ts';
import type { LocalBroker } from './local-broker.ts';

/** A way in which RabbitMQ can be run here. */
export interface RabbitmqRuntime {
  /** Starts the broker and waits until it takes connections; ends what an earlier one left running. */
  readonly launch: () => Promise<Pick<Child, 'pid' | 'exited' | 'end'>>;
  /** Gives back what the broker needs besides its process. */
  readonly release: () => Promise<void>;
  readonly ctl: LocalBroker['ctl'];
}
