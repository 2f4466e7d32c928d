import type { LocalServer, Log, Running } from '../restartable-server.ts';

/** A RabbitMQ on this machine; `url` is for the administrator, with the virtual host of production. */
export interface LocalBroker extends LocalServer {
  /** Runs rabbitmqctl and returns its standard output. */
  readonly ctl: (...args: string[]) => Promise<string>;
  /** Adds a virtual host with the permissions of production; returns its URL for the administrator. */
  readonly addVirtualHost: (name: string) => Promise<string>;
  /** The same for several, which takes as long as for one. */
  readonly addVirtualHosts: (names: readonly string[]) => Promise<readonly string[]>;
}

export interface BrokerPlace {
  readonly dir: string;
  readonly port: number;
  /** Of all its users. */
  readonly password: string;
  readonly log: Log;
}

export interface RabbitmqRuntime {
  /** Starts the broker and waits until it accepts connections; ends one that an earlier run left running. */
  readonly launch: () => Promise<Running>;
  /** Releases what the broker needs besides its process. */
  readonly release: () => Promise<void>;
  readonly ctl: LocalBroker['ctl'];
}
