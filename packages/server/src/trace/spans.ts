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
import type { TracingOptions } from './open-telemetry.ts';

// uses the provider as soon as one is registered
const tracer = trace.getTracer('leadback');
const nothing = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const contextOf = (traceParent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });

/** The first span of a new trace. */
export const beginTrace = (name: string, options?: SpanOptions): Span => tracer.startSpan(name, options, ROOT_CONTEXT);

/** A child of the span that a W3C `traceparent` names; without one, a span that records nothing. */
export const continueTrace = (traceParent: string | undefined, name: string, options?: SpanOptions): Span => {
  if (traceParent === undefined) return nothing;
  const parent = contextOf(traceParent);
  return trace.getSpan(parent) === undefined ? nothing : tracer.startSpan(name, options, parent);
};

/** Undefined if the span is not recorded. */
export const traceParentOf = (span: Span): string | undefined => {
  if (!span.isRecording()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent;
};

/** Links to the span of a `traceparent` from outside; none if it is malformed. */
export const linksTo = (traceParent: string | undefined): Link[] => {
  const context = traceParent === undefined ? undefined : trace.getSpanContext(contextOf(traceParent));
  return context === undefined ? [] : [{ context }];
};

/** Fields that link a log line to its trace; empty if the trace is not recorded. */
export interface LoggedTrace {
  readonly trace_id?: string;
}

export const loggedTrace = (span: Span): LoggedTrace =>
  span.isRecording() ? { trace_id: span.spanContext().traceId } : {};

/** `type` is a short code: errors themselves may quote personal data, which must not enter a trace. */
export const markFailed = (span: Span, type: string): void => {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/**
 * Exports spans if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise the SDK is not loaded and no span is recorded.
 * Dispose after the last span has ended.
 */
export const startTracing = async (options: TracingOptions): Promise<AsyncDisposable> => {
  if (options.settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return { async [Symbol.asyncDispose]() {} };
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(options);
};
