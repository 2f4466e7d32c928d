import type { Child } from '../processes/child.ts';
import type { LocalBroker } from './local-broker.ts';

export interface RabbitmqRuntime {
  /** Starts the broker and waits until it accepts connections; ends one that an earlier run left running. */
  readonly launch: () => Promise<Pick<Child, 'pid' | 'exited' | 'end'>>;
  /** Releases what the broker needs besides its process. */
  readonly release: () => Promise<void>;
  readonly ctl: LocalBroker['ctl'];
}
