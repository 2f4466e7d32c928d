import { setTimeout as pause } from 'node:timers/promises';
import { type ClaimedFeedback, type FeedbackSettlement, feedbackParker, feedbackSettler } from '@leadback/delivery';
import { type Database, isDatabaseUnavailable } from '@leadback/db';
import type { FeedbackToSend } from '@leadback/domain';
import { eventTooOld } from '@leadback/platforms';
import { loggedTrace, markFailed, type Span } from '@leadback/tracing';
import { z } from 'zod';
import { postponed } from './circuit.ts';
import type { ConnectionDispatchers, ConnectionDispatchersOptions } from './connection-dispatchers.ts';
import { deliverySpan, noteRequest } from './delivery-spans.ts';
import { settledBy, skipped } from './settlement.ts';

interface Options extends Pick<ConnectionDispatchersOptions, 'platforms' | 'events'> {
  readonly pool: Database['pool'];
  readonly dispatchers: ConnectionDispatchers;
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal;
}

const settleRetryMs = 1_000;

/**
 * Returns a function that sends a claimed row and saves the outcome. `message`: the message that named the row, if any.
 * Throws if PostgreSQL is unavailable and nothing is lost by it: the row is due again when its lease expires.
 */
export const claimedDelivery = ({
  pool,
  dispatchers,
  platforms,
  events,
  stopping,
}: Options): ((claimed: ClaimedFeedback, message?: FeedbackToSend) => Promise<void>) => {
  const settle = feedbackSettler(pool);
  const park = feedbackParker(pool);

  const settlementOf = async (
    claimed: ClaimedFeedback,
    span: Span,
  ): Promise<Omit<FeedbackSettlement, 'feedbackId'>> => {
    const { attempts, connection, mode, conversion, createdAt } = claimed;
    const refuse = (reason: string) =>
      settledBy({ outcome: { kind: 'refused', reason }, httpStatus: null, body: null, durationMs: 0 }, attempts);
    try {
      const dispatcher = dispatchers.of(connection);
      // PostgreSQL's clock wrote `createdAt`; that of this machine may be late
      const prepared = dispatcher.prepare(mode, conversion, Math.max(Date.now(), createdAt.getTime()));
      if (prepared.kind === 'early') return settledBy(postponed('early', prepared.inMs), attempts);
      if (prepared.kind === 'skipped') return skipped(prepared.reason);
      const answer = await dispatcher.send(mode, prepared.event);
      noteRequest(span, claimed, answer);
      return settledBy(answer, attempts, platforms[connection.platform].limits.requestStatusAfterMs);
    } catch (error) {
      if (error instanceof z.ZodError) return refuse(`settings_do_not_fit: ${z.prettifyError(error)}`);
      // an internal error with one connection or event must not delay others
      events.deliveryFailed(connection, error);
      const outcome = { kind: 'unavailable', reason: 'internal_error' } as const;
      return settledBy({ outcome, httpStatus: null, body: null, durationMs: 0 }, attempts);
    }
  };

  const wasTimely = ({ connection, mode, conversion, createdAt }: ClaimedFeedback): boolean =>
    dispatchers.of(connection).prepare(mode, conversion, createdAt.getTime()).kind !== 'skipped';

  /**
   * Retries while PostgreSQL is unavailable: without its outcome, an event that a platform has accepted would be sent
   * again.
   */
  const settleWithRetry = async ({ connection }: ClaimedFeedback, settlement: FeedbackSettlement) => {
    for (;;) {
      try {
        return await settle(settlement);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || stopping.aborted) throw error;
        events.settlingFailed(connection, settlement.feedbackId, error);
        await pause(settleRetryMs);
      }
    }
  };

  const deliver = async (claimed: ClaimedFeedback, span: Span): Promise<void> => {
    const { feedbackId, connection, mode } = claimed;
    if (connection.state !== 'active') {
      await park(connection);
      events.feedbackParked(connection);
      return;
    }
    const settlement = { feedbackId, ...(await settlementOf(claimed, span)) };
    const state = await settleWithRetry(claimed, settlement);
    span.setAttribute('leadback.feedback.state', state);
    const isExpired = state === 'skipped' && settlement.reason === eventTooOld && wasTimely(claimed);
    events.feedbackSettled({ platform: connection.platform, feedbackId, mode, state, isExpired, ...loggedTrace(span) });
    if (settlement.attempt?.outcome === 'refused') {
      const { id, accountId, settings, encryptedCredentials } = connection;
      const reason = settlement.attempt.reason ?? 'connection rejected';
      await park({ id, accountId, refused: { reason, settings, encryptedCredentials } });
    }
  };

  return async (claimed, message) => {
    const span = deliverySpan(claimed, message);
    try {
      await deliver(claimed, span);
    } catch (error) {
      markFailed(span, 'not_settled');
      throw error;
    } finally {
      span.end();
    }
  };
};
