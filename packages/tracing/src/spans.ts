import {
  type Context,
  INVALID_SPAN_CONTEXT,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// finds the provider once there is one
const tracer = trace.getTracer('leadback');
const nothing = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const contextOf = (traceParent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });

/** A span of a new trace. */
export const beginTrace = (name: string, options?: SpanOptions): Span => tracer.startSpan(name, options, ROOT_CONTEXT);

/** A span of the trace that a `traceparent` (W3C) names, as the child of its span; where there is none, one that records nothing. */
export const continueTrace = (traceParent: string | undefined, name: string, options?: SpanOptions): Span => {
  if (traceParent === undefined) return nothing;
  const parent = contextOf(traceParent);
  return trace.getSpan(parent) === undefined ? nothing : tracer.startSpan(name, options, parent);
};

/** The `traceparent` by which others continue a span's trace; undefined where the span is not recorded. */
export const traceParentOf = (span: Span): string | undefined => {
  if (!span.isRecording()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent;
};

/** To a span of somebody else, who sent this `traceparent`; none where it is not well formed. */
export const linksTo = (traceParent: string | undefined): Link[] => {
  const context = traceParent === undefined ? undefined : trace.getSpanContext(contextOf(traceParent));
  return context === undefined ? [] : [{ context }];
};

/** What a log line says of the trace it belongs to: nothing where that is not recorded. */
export interface LoggedTrace {
  readonly trace_id?: string;
}

export const loggedTrace = (span: Span): LoggedTrace =>
  span.isRecording() ? { trace_id: span.spanContext().traceId } : {};

/**
 * Marks a span as failed. `type` is a short code: errors themselves, which may quote what they failed at, do not belong in
 * a trace.
 */
export const markFailed = (span: Span, type: string): void => {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};
