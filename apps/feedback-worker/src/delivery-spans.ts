import type { ClaimedFeedback } from '@leadback/delivery';
import type { FeedbackToSend } from '@leadback/domain';
import { continueTrace, markFailed, type Span, SpanKind, traceParentOf } from '@leadback/tracing';
import type { TimedAnswer } from './circuit.ts';

/**
 * The span of a delivery. Its parent is the message; or the lead, if the worker found the row without a message or the
 * message has no trace.
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
 * Adds a span for the platform request to the event's own trace, because one request may carry events of many traces.
 * No trace context is sent to the platform.
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
