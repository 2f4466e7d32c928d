import { continueTrace, type Span } from '@leadback/tracing';

export interface DoneForLead {
  /** What was done. */
  readonly name: string;
  /** When it began, by `performance.now()`. */
  readonly since: number;
  /** Of the lead, where that is traced. */
  readonly traceParent: string | undefined;
  readonly attributes: Readonly<Record<string, number>>;
}

/**
 * Shows in the trace of a lead, which may be days old, what a request has just done for it. The request has a trace of its
 * own, because whose lead it is about is known only in the end; each of the two spans is linked to the other. End the
 * span when what follows has been told of it.
 */
export const linkToLeadTrace = (request: Span, { name, since, traceParent, attributes }: DoneForLead): Span => {
  const links = request.isRecording() ? [{ context: request.spanContext() }] : [];
  const span = continueTrace(traceParent, name, { startTime: since, attributes, links });
  if (span.isRecording()) request.addLink({ context: span.spanContext() });
  return span;
};
