import { setTimeout as pause } from 'node:timers/promises';
import {
  closePlatformRequest,
  type Database,
  type DuePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from '@leadback/db';
import type { Keys, PlatformName } from '@leadback/domain';
import type { RequestStatus, Platform } from '@leadback/platforms';
import { repeat } from '@leadback/runtime';
import type { WorkerEvents } from './events.ts';
import { accessOpener } from './open-access.ts';
import { effectOfSilence, effectOfRequestStatus } from './request-status-effect.ts';
import type { RequestStatusResult } from './worker-instruments.ts';

export interface WatchOptions {
  readonly pool: Database['pool'];
  readonly platforms: Record<PlatformName, Platform>;
  readonly secretsKeys: Keys;
  readonly events: WorkerEvents;
  readonly everyMs?: number;
}

const requestsMax = 20;
const stopMaxMs = 1_000;
const halfHourMs = 30 * 60_000;
const pauseMaxMs = 12 * halfHourMs;

const unasked: RequestStatus = { kind: 'unknown', reason: 'the platform says nothing later' };

/** Half an hour after the first look, and twice as long after each further one, up to six hours. */
const pauseAfter = (looks: number, askedMs = 0) =>
  Math.min(pauseMaxMs, Math.max(askedMs, halfHourMs * 2 ** (looks - 1)));

/**
 * Asks platforms what became of the requests that they had taken, once that can be known, and writes down what follows.
 * Runs until it is disposed.
 */
export const requestStatusPoller = ({
  pool,
  platforms,
  secretsKeys,
  events,
  everyMs = 30_000,
}: WatchOptions): AsyncDisposable => {
  const open = accessOpener({ platforms, secretsKeys });

  const close = async (request: DuePlatformRequest, verdict: RequestStatus): Promise<RequestStatusResult> => {
    const { platform } = request.connection;
    const effect =
      verdict.kind === 'final'
        ? effectOfRequestStatus(verdict, { platform, deliveries: request.deliveries })
        : effectOfSilence(platform);
    await closePlatformRequest(pool, request, { verdict, effect });
    if (verdict.kind !== 'final') return 'given_up';
    if (effect.refusal !== null) return 'refused';
    if (effect.state === 'pending') return 'again';
    if (effect.state !== 'delivered') return effect.state;
    return effect.note === null ? 'used' : 'noted';
  };

  const ask = async (request: DuePlatformRequest): Promise<RequestStatus> => {
    try {
      return (await open(request.connection, 'live').requestStatus?.(request.name)) ?? unasked;
    } catch (error) {
      // a fault of ours in one connection must hold back nobody else
      events.requestStatusCheckFailed(request, error);
      return { kind: 'unknown', reason: 'internal_error' };
    }
  };

  const look = async (request: DuePlatformRequest): Promise<void> => {
    const verdict = await ask(request);
    if (verdict.kind === 'final' || request.isLastLook) {
      events.requestStatusChecked(request, await close(request, verdict));
      return;
    }
    const askedMs = verdict.kind === 'unknown' ? verdict.retryAfterMs : undefined;
    await postponePlatformRequest(pool, request, pauseAfter(request.looks, askedMs));
    events.requestStatusChecked(request, verdict.kind);
  };

  const watching = repeat({
    everyMs,
    round: async () => {
      const due = await takeDuePlatformRequests(pool, requestsMax);
      const looks = await Promise.allSettled(due.map(look));
      // what could not be written down comes back after its lease
      for (const one of looks) if (one.status === 'rejected') throw one.reason;
      return due.length === requestsMax;
    },
    onFailure: events.requestStatusPollerFailed,
  });
  return {
    // what is asked by then comes back after its lease
    [Symbol.asyncDispose]: () =>
      Promise.race([watching[Symbol.asyncDispose](), pause(stopMaxMs, undefined, { ref: false })]),
  };
};
