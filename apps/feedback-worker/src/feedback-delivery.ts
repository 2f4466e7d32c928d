import {
  type ClaimedFeedback,
  type Database,
  type FeedbackSettlement,
  feedbackClaimer,
  feedbackParker,
  feedbackSettler,
} from '@leadback/db';
import { connectionLanes, type LaneOptions, type TimedAnswer } from './connection-lanes.ts';
import { retryPauseMs } from './retry-pause.ts';

export interface DeliveryOptions extends LaneOptions {
  readonly pool: Database['pool'];
}

type Verdict = Pick<FeedbackSettlement, 'state' | 'reason' | 'retryInMs'>;

const verdictOf = ({ outcome }: TimedAnswer, attempts: number): Verdict => {
  switch (outcome.kind) {
    case 'delivered':
      return { state: 'delivered', reason: null, retryInMs: null };
    case 'rejected':
      return { state: 'failed', reason: outcome.reason, retryInMs: null };
    case 'unavailable':
    case 'throttled':
      return {
        state: 'pending',
        reason: outcome.reason,
        retryInMs: retryPauseMs(attempts + 1, outcome.retryAfterMs),
      };
    case 'postponed':
      return { state: 'pending', reason: outcome.reason, retryInMs: outcome.retryAfterMs };
    case 'refused':
      // due again at once for whoever mends the connection before it is parked
      return { state: 'pending', reason: outcome.reason, retryInMs: 0 };
  }
};

/**
 * Gives the function that deals with one feedback row: claim it, send it, write down what became of it. The three steps
 * are each shared by whatever else is under way. Throws only when the database is away; the row then comes back.
 */
export const feedbackDelivery = ({
  pool,
  ...laneOptions
}: DeliveryOptions): ((feedbackId: number) => Promise<void>) => {
  const { events } = laneOptions;
  const claim = feedbackClaimer(pool);
  const settle = feedbackSettler(pool);
  const park = feedbackParker(pool);
  const laneOf = connectionLanes(laneOptions);

  const deliver = async ({
    feedbackId,
    attempts,
    connection,
    mode,
    conversion,
  }: ClaimedFeedback): Promise<FeedbackSettlement> => {
    const skip = (reason: string): FeedbackSettlement => {
      return { feedbackId, state: 'skipped', reason, retryInMs: null, attempt: null };
    };
    if (conversion.lead.sharing === 'refused') return skip('consent');
    try {
      const lane = laneOf(connection, mode);
      const prepared = lane.prepare(conversion);
      if (prepared.kind !== 'event') return skip(prepared.reason);
      const answer = await lane.send(prepared.event);
      const { outcome, httpStatus, body, durationMs } = answer;
      const reason = outcome.kind === 'delivered' ? null : outcome.reason;
      const attempt =
        outcome.kind === 'postponed' ? null : { outcome: outcome.kind, reason, httpStatus, answer: body, durationMs };
      return { feedbackId, ...verdictOf(answer, attempts), attempt };
    } catch (error) {
      // a fault of ours in one connection or event must hold back nobody else
      events.deliveryFailed(connection.platform, connection.id, error);
      const reason = 'internal_error';
      const attempt = { outcome: 'unavailable', reason, httpStatus: null, answer: null, durationMs: 0 } as const;
      return { feedbackId, state: 'pending', reason, retryInMs: retryPauseMs(attempts + 1), attempt };
    }
  };

  return async (feedbackId) => {
    const claimed = await claim(feedbackId);
    if (!claimed) return;
    const { connection, mode } = claimed;
    if (connection.state !== 'active') {
      await park(connection);
      events.feedbackParked(connection.platform, connection.id);
      return;
    }
    const settlement = await deliver(claimed);
    const state = await settle(settlement);
    events.feedbackSettled({ platform: connection.platform, feedbackId, mode, state });
    if (settlement.attempt?.outcome === 'refused') {
      await park({ ...connection, refusal: settlement.attempt.reason ?? 'credentials refused' });
    }
  };
};
