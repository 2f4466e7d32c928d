import type { LocalServer } from '../local-server.ts';

/** A RabbitMQ of this machine; `url` is that of its default virtual host. */
export interface LocalBroker extends LocalServer {
  /** Runs rabbitmqctl on it and gives what that writes to standard output. */
  readonly ctl: (...args: string[]) => Promise<string>;
  /** Adds a virtual host and gives its address. */
  readonly addVirtualHost: (name: string) => Promise<string>;
}
