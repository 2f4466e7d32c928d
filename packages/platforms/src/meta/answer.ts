import { z } from 'zod';
import { eventTooOld } from '../event-time.ts';
import type { Judge } from '../judge-reply.ts';
import type { Outcome } from '../platform.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { metaRefusal, verdictOfMetaCode } from './error-codes.ts';
import { regainAccessMs } from './regain-access.ts';

const receivedSchema = z.object({ events_received: z.number() });

const errorSchema = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
    message: z.string().catch(''),
    error_user_msg: z.string().optional().catch(undefined),
  }),
});
type MetaError = z.infer<typeof errorSchema>['error'];

const tooOldSubcode = 2804003;

const codeOf = ({ code, error_subcode: subcode, message }: MetaError) => ({ code, subcode, message });

const verdictOf = (error: MetaError, status: number) => {
  const known = verdictOfMetaCode(codeOf(error));
  if (error.is_transient) return known === 'throttled' ? known : 'unavailable';
  return known ?? (error.is_transient === false ? 'rejected' : verdictOfStatus(status));
};

const reasonOf = (error: MetaError) => {
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } = error;
  if (code === 100 && subcode === tooOldSubcode) return eventTooOld;
  // the words by which the advice is found, not those for people
  const words = metaRefusal(codeOf(error)) === 'proof' ? message : userMessage || message;
  return `${subcode === undefined ? code : `${code}/${subcode}`}: ${words}`;
};

/** Reads Meta's answer to `sent` events: they count as one, for Meta takes all of a request or nothing. */
export const judgeMetaAnswer =
  (sent: number): Judge =>
  (json, { status, headers }): Outcome | undefined => {
    const failed = errorSchema.safeParse(json);
    if (failed.success) {
      const kind = verdictOf(failed.data.error, status);
      const reason = reasonOf(failed.data.error);
      if (kind !== 'throttled') return { kind, reason };
      const retryAfterMs = regainAccessMs(headers['x-business-use-case-usage']);
      return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
    }

    const received = receivedSchema.safeParse(json);
    if (!received.success || status < 200 || status > 299) return undefined;
    if (received.data.events_received >= sent) return { kind: 'delivered' };
    // to send all of them again does no harm: Meta drops the event ids that it knows
    return { kind: 'unavailable', reason: `took ${received.data.events_received} of ${sent} events` };
  };
