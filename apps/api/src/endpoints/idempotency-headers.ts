import { z } from 'zod';

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
          'Makes retries safe: the same key with the same body gets the first response again for 24 hours, unless that was a 404 or a 5xx. Use a random UUID for each new request.',
        example: '6f1c1f6e-7a55-4c0e-9a6b-2f1f8f0b7f4e',
      },
    }),
});

export const idempotencyRefusals = ['idempotency-in-progress', 'idempotency-key-reused'] as const;
