import type { ClaimedDelivery, ClaimedParcel } from '@leadback/delivery';
import { hintQueue } from '@leadback/messaging';
import { continueTrace, markFailed, type Span, SpanKind, traceParentOf } from '@leadback/tracing';
import type { TimedAnswer } from './circuit.ts';

/** How a parcel came to this worker: by a hint, with its trace if it has one, or found by the worker itself. */
export interface Origin {
  readonly isHint: boolean;
  readonly traceParent?: string | undefined;
}

/** The span of a delivery. Its parent is the hint; or the lead, if there was none or it has no trace. */
export const deliverySpan = (parcel: ClaimedParcel, delivery: ClaimedDelivery, origin: Origin): Span => {
  const { feedbackId, conversion, traceParent } = delivery;
  // a hint has the trace of one of its deliveries
  const parent = traceParent && (parcel.deliveries.length === 1 ? origin.traceParent : undefined);
  return continueTrace(parent ?? traceParent, `process delivery:${parcel.connection.platform}`, {
    kind: origin.isHint ? SpanKind.CONSUMER : SpanKind.INTERNAL,
    attributes: {
      ...(origin.isHint && {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': hintQueue,
      }),
      'leadback.account.id': parcel.connection.accountId,
      'leadback.conversion.id': conversion.id,
      'leadback.feedback.id': feedbackId,
      'leadback.feedback.mode': parcel.mode,
    },
  });
};

/**
 * Adds a span for the platform request to the event's own trace, because one request may carry events of many traces.
 * No trace context is sent to the platform.
 */
export const noteRequest = (
  span: Span,
  { connection }: ClaimedParcel,
  { attempts }: ClaimedDelivery,
  { request, durationMs, outcome, httpStatus }: TimedAnswer,
): void => {
  if (request === undefined || !span.isRecording()) return;
  const made = continueTrace(traceParentOf(span), `POST ${connection.platform}`, {
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
  if (outcome.kind !== 'delivered') markFailed(made, httpStatus === null ? outcome.kind : String(httpStatus));
  made.end(request.since + durationMs);
};
