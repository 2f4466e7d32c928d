import { continueTrace, type Span } from '@leadback/server/trace';

export interface DoneForLead {
  readonly name: string;
  /** Start, by `performance.now()`. */
  readonly startTime: number;
  /** Of the lead, if it is traced. */
  readonly traceParent: string | undefined;
  readonly attributes: Readonly<Record<string, number>>;
}

/**
 * Adds a span for this request to the trace of a lead, which may be days old. The request has its own trace, because
 * its lead is only known at the end; the two spans link to each other. The caller ends the span.
 */
export const linkToLeadTrace = (request: Span, { name, startTime, traceParent, attributes }: DoneForLead): Span => {
  const links = request.isRecording() ? [{ context: request.spanContext() }] : [];
  const span = continueTrace(traceParent, name, { startTime, attributes, links });
  if (span.isRecording()) request.addLink({ context: span.spanContext() });
  return span;
};
