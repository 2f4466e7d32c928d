import type { ClaimedDelivery, ClaimedParcel } from '@leadback/delivery';
import { attributedOf, type DeliverableEvent } from '@leadback/domain';
import { hintQueue, type ParcelHint } from '@leadback/messaging';
import {
  continueTrace,
  type LoggedTrace,
  loggedTrace,
  markFailed,
  type Span,
  SpanKind,
  traceParentOf,
} from '@leadback/tracing';
import type { TimedAnswer } from './circuit.ts';

/** A hint, as far as traces are concerned. */
export type TracedHint = Pick<ParcelHint, 'traceParent'>;

/** What links a span to the subject of its delivery. Webhook events have no trace. */
const subjectOf = (event: DeliverableEvent) => {
  if (event.kind === 'webhook') return {};
  const about = attributedOf(event);
  return about.kind === 'lead' ? { 'leadback.client.id': about.client.id } : { 'leadback.conversion.id': about.id };
};

const deliverySpan = (parcel: ClaimedParcel, delivery: ClaimedDelivery, hint: TracedHint | undefined): Span => {
  const { feedbackId, event, traceParent } = delivery;
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
      ...subjectOf(event),
      'leadback.feedback.id': feedbackId,
      'leadback.feedback.mode': parcel.mode,
    },
  });
};

/**
 * Adds a span for the platform request to the event's own trace, because one request may carry events of many traces.
 * No trace context is sent to the platform.
 */
const noteRequest = (
  span: Span,
  { connection }: ClaimedParcel,
  { attempts }: Pick<ClaimedDelivery, 'attempts'>,
  { request, durationMs, outcome, httpStatus }: TimedAnswer,
): void => {
  if (request === undefined) return;
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

/** The traces of the deliveries of a parcel; most deliveries have none. */
export interface ParcelSpans {
  noteRequest(delivery: Pick<ClaimedDelivery, 'feedbackId' | 'attempts'>, answer: TimedAnswer): void;
  /** Returns what links the log line of a delivery to its trace; `undefined` if it has none. */
  noteState(feedbackId: number, state: string): LoggedTrace | undefined;
  markFailed(type: string): void;
  end(): void;
}

/** Begins a span for each traced delivery. `hint`: by which the parcel was found, if the worker did not find it itself. */
export const parcelSpans = (parcel: ClaimedParcel, hint: TracedHint | undefined): ParcelSpans => {
  const spans = new Map<number, Span>();
  for (const delivery of parcel.deliveries) {
    if (delivery.traceParent === undefined) continue;
    const span = deliverySpan(parcel, delivery, hint);
    if (span.isRecording()) spans.set(delivery.feedbackId, span);
  }
  return {
    noteRequest(delivery, answer) {
      const span = spans.get(delivery.feedbackId);
      if (span !== undefined) noteRequest(span, parcel, delivery, answer);
    },
    noteState: (feedbackId, state) => {
      const span = spans.get(feedbackId)?.setAttribute('leadback.feedback.state', state);
      return span && loggedTrace(span);
    },
    markFailed(type) {
      for (const span of spans.values()) markFailed(span, type);
    },
    end() {
      for (const span of spans.values()) span.end();
    },
  };
};
