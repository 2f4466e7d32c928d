import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { invalidArgument, type Violation } from './errors.ts';
import { eventSchema } from './event.ts';
import { required, violation } from './violation-message.ts';

const account = z.object({
  accountType: z.literal('GOOGLE_ADS', violation('DESTINATION_ACCOUNT_TYPE_MISMATCH', 'Expected GOOGLE_ADS.')),
  accountId: z
    .string({ error: required('INVALID_DESTINATION', 'Expected a string.') })
    .regex(/^\d{10}$/, violation('INVALID_DESTINATION', 'Expected ten digits.')),
});

const destination = z.object({
  operatingAccount: account,
  loginAccount: account.optional(),
  productDestinationId: z
    .string({ error: required('INVALID_CONVERSION_ACTION_ID', 'Expected a string.') })
    .regex(/^\d+$/, violation('INVALID_CONVERSION_ACTION_ID', 'Expected the digits of a conversion action.')),
});

/** The body of `events:ingest`. */
export const ingestSchema = z
  .object({
    destinations: z
      .array(destination, { error: required('INVALID_DESTINATION', 'Expected a list.') })
      .min(1, violation('REQUIRED_FIELD_MISSING', 'No destination.'))
      .max(10, violation('TOO_MANY_DESTINATIONS', 'At most 10 destinations.')),
    encoding: z.literal('HEX', violation('INVALID_ENUM_VALUE', 'The sandbox takes HEX.')).optional(),
    events: z
      .array(eventSchema, { error: required('INVALID_FORMAT', 'Expected a list.') })
      .min(1, violation('REQUIRED_FIELD_MISSING', 'No event.'))
      .max(2000, violation('TOO_MANY_EVENTS', 'At most 2000 events.')),
    validateOnly: z.boolean().optional(),
  })
  .refine(({ encoding, events }) => encoding !== undefined || events.every(({ userData }) => userData === undefined), {
    path: ['encoding'],
    message: violation('REQUIRED_FIELD_MISSING', 'User data need an encoding.'),
  });

/** `events[0].userData` is `events.events[0].userData` in Google's words. */
const fieldOf = (path: readonly PropertyKey[]) => {
  const field = z.core.toDotPath(path);
  return path[0] === 'events' ? `events.${field}` : field;
};

const violationOf = ({ path, message }: z.core.$ZodIssue): Violation => {
  const [, reason = 'INVALID_FORMAT', description = message] = /^([A-Z0-9_]+) (.+)$/.exec(message) ?? [];
  return { field: fieldOf(path), reason, description };
};

/** Why Google would take nothing of this request: one wrong event is enough. */
export const refusalOf = (error: z.ZodError): ErrorAnswer => invalidArgument(error.issues.map(violationOf));
