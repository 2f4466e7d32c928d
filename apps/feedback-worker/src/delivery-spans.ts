import type { ClaimedFeedback } from '@leadback/db';
import type { FeedbackToSend } from '@leadback/domain';
import { continueTrace, markFailed, type Span, SpanKind, traceParentOf } from '@leadback/tracing';
import type { TimedAnswer } from './circuit.ts';

/**
 * The span of all that a worker does for a claimed row: in the trace of the message that told of it; or of the lead, where
 * the worker has found the row by itself or the message came from an app that does not trace.
 */
export const deliverySpan = (claimed: ClaimedFeedback, message: FeedbackToSend | undefined): Span => {
  const { feedbackId, connection, conversion, mode } = claimed;
  return continueTrace(message?.traceParent ?? claimed.traceParent, `process feedback:${connection.platform}`, {
    kind: message === undefined ? SpanKind.INTERNAL : SpanKind.CONSUMER,
    attributes: {
      ...(message !== undefined && {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': `feedback:${connection.platform}`,
        'messaging.message.id': String(feedbackId),
      }),
      'leadback.account.id': connection.accountId,
      'leadback.conversion.id': conversion.id,
      'leadback.feedback.id': feedbackId,
      'leadback.feedback.mode': mode,
    },
  });
};

/**
 * Shows the request to a platform that has answered for an event, in the event's own trace: the request may have carried
 * events of many. The platform is told of no trace.
 */
export const noteRequest = (delivery: Span, { connection, attempts }: ClaimedFeedback, answer: TimedAnswer): void => {
  const { request, durationMs, outcome, httpStatus } = answer;
  if (request === undefined) return;
  const span = continueTrace(traceParentOf(delivery), `POST ${connection.platform}`, {
    kind: SpanKind.CLIENT,
    startTime: request.since,
    attributes: {
      'http.request.method': 'POST',
      ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
      'leadback.platform': connection.platform,
      'leadback.connection.id': connection.id,
      'leadback.request.events': request.events,
      'leadback.feedback.attempt': attempts + 1,
      'leadback.feedback.outcome': outcome.kind,
    },
  });
  if (outcome.kind !== 'delivered') markFailed(span, httpStatus === null ? outcome.kind : String(httpStatus));
  span.end(request.since + durationMs);
};
