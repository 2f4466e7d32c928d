import { z } from 'zod';
import type { ListPosition } from '@leadback/core/conversions/read';

const expected = { error: 'expected a positive whole number' };

export const recordId = z
  .string(expected)
  .regex(/^[1-9]\d{0,15}$/, expected)
  .transform(Number)
  .refine(Number.isSafeInteger, expected)
  .meta({ param: { description: 'The id that the registration returned.', example: '31' } });

/** A parameter of a query that counts as not sent if it is empty. */
export const optionalQuery = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .string({ error: 'expected a string' })
    .transform((text) => (text.trim() === '' ? undefined : text))
    .pipe(schema.optional())
    .optional();

// PostgreSQL has no year 0
const time = z.iso.datetime({ precision: 6 }).refine((text) => !text.startsWith('0000'));

const read = (text: string): ListPosition | undefined => {
  const [, occurredAt = '', id = ''] = /^(\S{27}) ([1-9]\d{0,15})$/.exec(text) ?? [];
  return time.safeParse(occurredAt).success ? { occurredAt, id: Number(id) } : undefined;
};

/** A position as callers get it and send it back: nothing that they should read. */
export const writePosition = ({ occurredAt, id }: ListPosition): string =>
  Buffer.from(`${occurredAt} ${id}`).toString('base64url');

export const positionSchema = z
  .string({ error: 'expected the value of next' })
  .max(100, 'expected the value of next')
  .transform((text, context) => {
    const position = read(Buffer.from(text, 'base64url').toString('latin1'));
    if (position !== undefined) return position;
    context.addIssue('expected the value of next from the page before');
    return z.NEVER;
  });

const longest = 255;
const visible = /^[\x20-\x7e]*$/;

// quoted, as the draft requires, or unquoted, as most callers send it
const withoutQuotes = (text: string) => text.trim().replace(/^"(.*)"$/, '$1');

/** `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), optional, quoted or unquoted. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .meta({ minLength: 1, maxLength: longest })
    .transform(withoutQuotes)
    .refine((key) => key !== '', 'must not be empty')
    .refine((key) => key.length <= longest, `longer than ${longest} characters`)
    .refine((key) => visible.test(key), 'expected visible ASCII characters')
    .optional()
    .meta({
      param: {
        description:
          'Makes retries safe: the same key and body get the first response again for 24 hours, unless that was a 404 or a 5xx. Use a random UUID for each new request.',
        example: '6f1c1f6e-7a55-4c0e-9a6b-2f1f8f0b7f4e',
      },
    }),
});

export const idempotencyRefusals = ['idempotency-in-progress', 'idempotency-key-reused'] as const;
