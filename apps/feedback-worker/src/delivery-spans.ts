import type { ClaimedDelivery, ClaimedParcel } from '@leadback/delivery';
import { hintQueue, type ParcelHint } from '@leadback/messaging';
import { continueTrace, markFailed, type Span, SpanKind, traceParentOf } from '@leadback/tracing';
import type { TimedAnswer } from './circuit.ts';

/** A hint, as far as traces are concerned. */
export type TracedHint = Pick<ParcelHint, 'traceParent'>;

/** The span of a delivery. `hint`: by which its parcel was found, if the worker did not find it by itself. */
export const deliverySpan = (parcel: ClaimedParcel, delivery: ClaimedDelivery, hint: TracedHint | undefined): Span => {
  const { feedbackId, conversion, traceParent } = delivery;
  // a hint has the trace of one of its deliveries: if there are several, each has that of its lead
  const parent = traceParent && (parcel.deliveries.length === 1 ? hint?.traceParent : undefined);
  return continueTrace(parent ?? traceParent, `process delivery:${parcel.connection.platform}`, {
    kind: hint ? SpanKind.CONSUMER : SpanKind.INTERNAL,
    attributes: {
      ...(hint && {
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
