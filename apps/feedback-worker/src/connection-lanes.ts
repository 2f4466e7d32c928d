import { type ClaimedFeedback, credentialsKey, group, unsealCredentials } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import type { Answer, Platform, PlatformAccess, PlatformEvent, SendingMode } from '@leadback/platforms';
import { LRUCache } from 'lru-cache';
import type { WorkerEvents } from './events.ts';

type Connection = ClaimedFeedback['connection'];

/** An answer and how long it was waited for. */
export interface TimedAnswer extends Answer {
  readonly durationMs: number;
}

/** The way to one connection's platform. Events that arrive while requests are under way travel together. */
export interface Lane {
  readonly prepare: PlatformAccess['prepare'];
  send(event: PlatformEvent): Promise<TimedAnswer>;
}

export interface LaneOptions {
  readonly platforms: Record<PlatformName, Platform>;
  readonly secretsKey: Buffer;
  readonly events: WorkerEvents;
}

const requestsMax = 4;
const lanesMax = 5_000;

// With the longest wait for one request before and after, this is still less than a lease.
const splitMaxMs = 20_000;

const notSplitInTime = { kind: 'unavailable', reason: 'rejected among others; to be tried again' } as const;

/**
 * Sends all; where a platform rejects a whole request for the sake of one event, halves it until that one is alone. What
 * could not be told apart in time is to be tried again.
 */
const sendApart = async (
  send: (events: readonly PlatformEvent[]) => Promise<TimedAnswer>,
  events: readonly PlatformEvent[],
  until = performance.now() + splitMaxMs,
): Promise<TimedAnswer[]> => {
  const answer = await send(events);
  if (answer.outcome.kind !== 'rejected' || events.length === 1) return events.map(() => answer);
  if (performance.now() > until) return events.map(() => ({ ...answer, outcome: notSplitInTime }));
  const half = Math.ceil(events.length / 2);
  const halves = [events.slice(0, half), events.slice(half)];
  const answers = await Promise.all(halves.map((part) => sendApart(send, part, until)));
  return answers.flat();
};

/** Gives each connection a lane for what is live and one for tests. One whose settings or credentials have changed gets a new one. */
export const connectionLanes = ({
  platforms,
  secretsKey,
  events,
}: LaneOptions): ((connection: Connection, mode: SendingMode) => Lane) => {
  const key = credentialsKey(secretsKey);
  const lanes = new LRUCache<string, Lane>({ max: lanesMax });

  const open = (
    { id, accountId, platform: name, settings, sealedCredentials }: Connection,
    mode: SendingMode,
  ): Lane => {
    const platform = platforms[name];
    const access = platform.access(settings, unsealCredentials(key, { id, accountId }, sealedCredentials), mode);
    const sendTimed = async (batch: readonly PlatformEvent[]): Promise<TimedAnswer> => {
      const start = performance.now();
      const answer = await access.send(batch);
      const durationMs = Math.round(performance.now() - start);
      events.platformAnswered(name, { connectionId: id, events: batch.length, durationMs, answer });
      return { ...answer, durationMs };
    };
    return {
      prepare: (conversion) => access.prepare(conversion),
      send: group((batch: readonly PlatformEvent[]) => sendApart(sendTimed, batch), {
        itemsMax: platform.eventsMax,
        runsMax: requestsMax,
      }),
    };
  };

  return (connection, mode) => {
    const version = `${mode} ${connection.id} ${connection.sealedCredentials.toString('base64')} ${JSON.stringify(connection.settings)}`;
    const known = lanes.get(version);
    if (known) return known;
    const lane = open(connection, mode);
    lanes.set(version, lane);
    return lane;
  };
};
