import { z } from 'zod';

export interface Violation {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

/** The message of a schema rule: Google's reason (google/ads/datamanager/v1/error.proto) and its description. */
export const says = (reason: string, description: string): string => `${reason} ${description}`;

/** Google's reason for rules without a message of their own. */
export const generalReason: z.core.$ZodErrorMap = ({ code, input }) => {
  if (input === undefined) return says('REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if (code === 'invalid_value') return says('INVALID_ENUM_VALUE', 'Enum value cannot be used.');
  if (code === 'unrecognized_keys') return says('INVALID_ARGUMENT', 'Unknown name: cannot find field.');
  return says('INVALID_FORMAT', 'Format is invalid.');
};

export const violationOf = ({ path, message }: z.core.$ZodIssue): Violation => {
  const field = z.core.toDotPath(path);
  const [reason = '', ...description] = message.split(' ');
  return { field: path[0] === 'events' ? `events.${field}` : field, reason, description: description.join(' ') };
};
