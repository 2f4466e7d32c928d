import { setTimeout as pause } from 'node:timers/promises';
import {
  closePlatformRequest,
  type DuePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from '@leadback/delivery';
import type { Database } from '@leadback/db';
import type { SecretsKeys } from '@leadback/secrets';
import type { Platforms, RequestStatus } from '@leadback/platforms';
import { repeat } from '@leadback/runtime';
import type { WorkerEvents } from './events.ts';
import { accessOpener } from './open-access.ts';
import { effectOfMissingStatus, effectOfRequestStatus } from './request-status-effect.ts';
import type { RequestStatusResult } from './worker-instruments.ts';

export interface RequestStatusPollerOptions {
  readonly pool: Database['pool'];
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  readonly events: WorkerEvents;
  readonly everyMs?: number;
}

const requestsMax = 20;
const stopMaxMs = 1_000;
const halfHourMs = 30 * 60_000;
const pauseMaxMs = 12 * halfHourMs;

const notReported: RequestStatus = { kind: 'unknown', reason: 'the platform reports no request status' };

/** 30 minutes after the first check, then twice as long after each further one, up to six hours. */
const pauseAfter = (looks: number, askedMs = 0) =>
  Math.min(pauseMaxMs, Math.max(askedMs, halfHourMs * 2 ** (looks - 1)));

/**
 * Polls the status of the requests that platforms accepted, and applies the result to their deliveries. Runs until it
 * is disposed.
 */
export const requestStatusPoller = ({
  pool,
  platforms,
  secretsKeys,
  events,
  everyMs = 30_000,
}: RequestStatusPollerOptions): AsyncDisposable => {
  const open = accessOpener({ platforms, secretsKeys });

  const close = async (request: DuePlatformRequest, verdict: RequestStatus): Promise<RequestStatusResult> => {
    const { title } = platforms[request.connection.platform];
    const effect =
      verdict.kind === 'final'
        ? effectOfRequestStatus(verdict, { title, deliveries: request.deliveries })
        : effectOfMissingStatus(title);
    await closePlatformRequest(pool, request, { verdict, effect });
    if (verdict.kind !== 'final') return 'given_up';
    if (effect.refusal !== null) return 'refused';
    if (effect.state === 'pending') return 'again';
    if (effect.state !== 'delivered') return effect.state;
    return effect.note === null ? 'used' : 'noted';
  };

  const fetchStatus = async (request: DuePlatformRequest): Promise<RequestStatus> => {
    try {
      return (await open(request.connection, 'live').requestStatus?.(request.name)) ?? notReported;
    } catch (error) {
      // an internal error with one connection must not delay others
      events.requestStatusCheckFailed(request, error);
      return { kind: 'unknown', reason: 'internal_error' };
    }
  };

  const check = async (request: DuePlatformRequest): Promise<void> => {
    const verdict = await fetchStatus(request);
    if (verdict.kind === 'final' || request.isLastLook) {
      events.requestStatusChecked(request, await close(request, verdict));
      return;
    }
    const askedMs = verdict.kind === 'unknown' ? verdict.retryAfterMs : undefined;
    await postponePlatformRequest(pool, request, pauseAfter(request.looks, askedMs));
    events.requestStatusChecked(request, verdict.kind);
  };

  const polling = repeat({
    everyMs,
    round: async () => {
      const due = await takeDuePlatformRequests(pool, requestsMax);
      const looks = await Promise.allSettled(due.map(check));
      // a status that could not be saved is checked again after its lease
      for (const one of looks) if (one.status === 'rejected') throw one.reason;
      return due.length === requestsMax;
    },
    onFailure: events.requestStatusPollerFailed,
  });
  return {
    // a check in progress is repeated after its lease
    [Symbol.asyncDispose]: () =>
      Promise.race([polling[Symbol.asyncDispose](), pause(stopMaxMs, undefined, { ref: false })]),
  };
};
