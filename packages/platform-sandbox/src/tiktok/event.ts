import { z } from 'zod';
import { userSchema } from './user-data.ts';

const text = z.string('Not a valid string.').min(1, 'Must not be empty.');
const webAddress = z.url({ protocol: /^https?$/, error: 'Not a valid URL.' });

/** An element of `data`. Undocumented fields are accepted. */
export const eventSchema = z.object({
  event: text,
  event_time: z.int('Not a valid integer: seconds since 1970.'),
  event_id: text.optional(),
  user: userSchema,
  page: z.object({ url: webAddress, referrer: webAddress.optional() }, 'Not a valid object.').optional(),
  properties: z
    .object(
      {
        value: z.number('Not a valid number.').min(0, 'Must be 0 or more.').optional(),
        currency: z
          .string('Not a valid string.')
          .regex(/^[A-Z]{3}$/, 'Not a currency of ISO 4217.')
          .optional(),
        order_id: text.optional(),
      },
      'Not a valid object.',
    )
    .optional(),
  limited_data_use: z.boolean('Not a valid boolean.').optional(),
});
export type TikTokEvent = z.infer<typeof eventSchema>;
