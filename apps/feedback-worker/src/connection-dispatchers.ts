import type { ClaimedFeedback } from '@leadback/delivery';
import type { PlatformName } from '@leadback/domain';
import { LRUCache } from 'lru-cache';
import type { WorkerEvents } from './events.ts';
import {
  type ConnectionDispatcher,
  type ConnectionDispatcherOptions,
  openConnectionDispatcher,
} from './connection-dispatcher.ts';
import { type AccessOptions, accessOpener } from './open-access.ts';

type Connection = ClaimedFeedback['connection'];

export interface ConnectionDispatchersOptions
  extends AccessOptions,
    Pick<ConnectionDispatcherOptions, 'refill' | 'tuning'> {
  readonly events: WorkerEvents;
}

export interface ConnectionDispatchers {
  /** The dispatcher of a connection. A connection with new settings or credentials gets a new dispatcher. */
  of(connection: Connection): ConnectionDispatcher;
  /** The existing dispatcher of a connection, if any. */
  known(connectionId: number): ConnectionDispatcher | undefined;
  /** The platform of each connection whose circuit is open. */
  openCircuits(): PlatformName[];
  stop(): void;
}

const dispatchersMax = 5_000;

const versionOf = ({ encryptedCredentials, settings }: Connection) =>
  `${encryptedCredentials.toString('base64')} ${JSON.stringify(settings)}`;

/** Keeps one dispatcher per connection, so that no connection delays another. */
export const connectionDispatchers = ({
  events,
  refill,
  tuning,
  ...access
}: ConnectionDispatchersOptions): ConnectionDispatchers => {
  const openAccess = accessOpener(access);
  const dispatchers = new LRUCache<
    number,
    { readonly version: string; readonly platform: PlatformName; readonly dispatcher: ConnectionDispatcher }
  >({ max: dispatchersMax });

  let isStopping = false;

  return {
    of(connection) {
      const version = versionOf(connection);
      const known = dispatchers.get(connection.id);
      if (known?.version === version) return known.dispatcher;
      const dispatcher = openConnectionDispatcher({
        connection,
        platform: access.platforms[connection.platform],
        accessOf: (mode) => openAccess(connection, mode),
        events,
        refill,
        tuning,
      });
      if (isStopping) dispatcher.stop();
      dispatchers.set(connection.id, { version, platform: connection.platform, dispatcher });
      return dispatcher;
    },
    known: (connectionId) => dispatchers.get(connectionId)?.dispatcher,
    openCircuits: () =>
      [...dispatchers.values()].flatMap(({ platform, dispatcher }) => (dispatcher.isCircuitOpen() ? [platform] : [])),
    stop: () => {
      isStopping = true;
      for (const { dispatcher } of dispatchers.values()) dispatcher.stop();
    },
  };
};
