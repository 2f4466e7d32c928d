import type { Outcome } from '@leadback/domain';
import { z } from 'zod';
import { verdictOf } from '../codes.ts';
import { type ElementFailure, outcomeOfProcessed, outcomeOfUnprocessed } from '../element-failures.ts';
import type { Judge } from '../judge-reply.ts';
import type { PlatformEvent } from '../platform.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { meaningOfLinkedInError, reasonCodeOf } from './codes.ts';
import { namedElements } from './named-elements.ts';
import { timeFailures } from './time-failures.ts';

const statusSchema = z.int().min(100).max(599);

const errorSchema = z.object({
  status: statusSchema.refine((status) => status >= 400),
  code: z.string().optional().catch(undefined),
  message: z.string(),
});
type LinkedInError = z.infer<typeof errorSchema>;

const createdSchema = z.object({
  elements: z.array(z.object({ status: statusSchema, error: z.object({ message: z.string() }).optional() })),
});

/** The failure of an error, and its reason. */
const failureOf = ({ status, code, message }: LinkedInError): Omit<ElementFailure, 'index'> => {
  const reasonCode = reasonCodeOf({ status, code });
  const kind = verdictOf(meaningOfLinkedInError(reasonCode, message)) ?? verdictOfStatus(status);
  return { kind, reason: `${reasonCode}: ${message}` };
};

const outcomeOfError = (error: LinkedInError, sent: readonly PlatformEvent[], nowMs: number): Outcome => {
  const failure = failureOf(error);
  if (failure.kind !== 'rejected') return failure;
  const failures = timeFailures(error.message, sent, nowMs);
  if (failures.length > 0) return outcomeOfUnprocessed(failures, sent.length);
  const events = namedElements(error.message, sent.length).map(({ index, words }) => ({
    index,
    reason: `${error.status}: ${words}`,
  }));
  return events.length === 0 ? failure : { ...failure, kind: 'rejected', events };
};

/**
 * Reads LinkedIn's response to a batch. An error means that no event was processed; otherwise each element has a status
 * of its own.
 */
export const judgeLinkedInAnswer =
  (sent: readonly PlatformEvent[], nowMs: number): Judge =>
  (json, { status }) => {
    const failed = errorSchema.safeParse(json);
    if (failed.success) return outcomeOfError(failed.data, sent, nowMs);

    const created = createdSchema.safeParse(json);
    if (!created.success || status < 200 || status > 299) return undefined;
    const { elements } = created.data;
    if (elements.length !== sent.length) {
      return { kind: 'unavailable', reason: `answered ${elements.length} of ${sent.length} events` };
    }
    const failures = elements.flatMap((element, index) =>
      element.status < 400
        ? []
        : [{ index, ...failureOf({ status: element.status, message: element.error?.message ?? 'rejected' }) }],
    );
    return outcomeOfProcessed(failures, sent.length);
  };
