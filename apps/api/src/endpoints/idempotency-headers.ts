import { z } from 'zod';

const longest = 255;
const visible = /^[\x20-\x7e]*$/;

// a structured string as the draft has it, or as most callers send it
const withoutQuotes = (text: string) => text.trim().replace(/^"(.*)"$/, '$1');

/** `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), optional, in quotes or without. */
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
          'Makes the request safe to repeat: the same key with the same body within 24 hours gets the first response again, unless that was a 404 or a 5xx. A random UUID for every new request will do.',
        example: '6f1c1f6e-7a55-4c0e-9a6b-2f1f8f0b7f4e',
      },
    }),
});

/** What can go wrong with a key, for the documentation. */
export const idempotencyRefusals = {
  409: {
    codes: ['idempotency-in-progress'],
    meaning: 'The first request with this `Idempotency-Key` is still in progress: try again in a moment.',
    message: 'idempotency-key: the first request with this key is still in progress; try again in a moment',
  },
  422: {
    codes: ['idempotency-key-reused'],
    meaning: 'This `Idempotency-Key` was used for another request: take a new one.',
    message: 'idempotency-key: already used for another request; take a new key for every new request',
  },
} as const;
