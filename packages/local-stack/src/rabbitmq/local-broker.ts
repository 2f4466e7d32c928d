import type { LocalServer } from '../local-server.ts';

/** A RabbitMQ of this machine; `url` is its administrator's, of the virtual host that the apps have in production. */
export interface LocalBroker extends LocalServer {
  /** Runs rabbitmqctl on it and gives what that writes to standard output. */
  readonly ctl: (...args: string[]) => Promise<string>;
  /** Adds a virtual host where the apps may do what they may do in production, and gives its administrator's address. */
  readonly addVirtualHost: (name: string) => Promise<string>;
}
