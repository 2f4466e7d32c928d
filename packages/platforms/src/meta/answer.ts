import { eventTooOld, type Failure, type Outcome } from '@leadback/domain';
import { z } from 'zod';
import { verdictOf } from '../codes.ts';
import type { Judge } from '../judge-reply.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { meaningOfMetaError, proof } from './codes.ts';
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

const failureOf = (error: MetaError, status: number): Failure => {
  const known = verdictOf(meaningOfMetaError(codeOf(error)));
  if (error.is_transient) return known === 'throttled' ? known : 'unavailable';
  return known ?? (error.is_transient === false ? 'rejected' : verdictOfStatus(status));
};

const reasonOf = (error: MetaError) => {
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } = error;
  if (code === 100 && subcode === tooOldSubcode) return eventTooOld;
  // the message by which the remedy is found, not the one for users
  const words = meaningOfMetaError(codeOf(error)) === proof ? message : userMessage || message;
  return `${subcode === undefined ? code : `${code}/${subcode}`}: ${words}`;
};

/** Reads Meta's response to `sent` events. They share one outcome: Meta accepts all events of a request or none. */
export const judgeMetaAnswer =
  (sent: number): Judge =>
  (json, { status, headers }): Outcome | undefined => {
    const failed = errorSchema.safeParse(json);
    if (failed.success) {
      const kind = failureOf(failed.data.error, status);
      const reason = reasonOf(failed.data.error);
      if (kind !== 'throttled') return { kind, reason };
      const retryAfterMs = regainAccessMs(headers['x-business-use-case-usage']);
      return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
    }

    const received = receivedSchema.safeParse(json);
    if (!received.success || status < 200 || status > 299) return undefined;
    if (received.data.events_received >= sent) return { kind: 'delivered' };
    // sending all of them again is safe: Meta deduplicates by event id
    return { kind: 'unavailable', reason: `accepted ${received.data.events_received} of ${sent} events` };
  };
