import { z } from 'zod';
import { secretText } from '../secret-text.ts';

const pixelId = 'expected the digits of the data set (pixel) id, as Events Manager shows it';

export const metaSettingsSchema = z.object({
  pixelId: z.string({ error: pixelId }).trim().regex(/^\d+$/, pixelId),
  eventName: z
    .string({ error: 'expected the name of an event, such as Purchase or Lead' })
    .trim()
    .min(1, 'expected the name of an event, such as Purchase or Lead')
    .default('Purchase'),
  /** Where "Test events" of Events Manager shows what a test key has registered. Meta may measure with it all the same. */
  testEventCode: z
    .string({ error: 'expected the code that "Test events" of Events Manager shows, such as TEST12345' })
    .trim()
    .regex(/^\w+$/, 'expected the code that "Test events" of Events Manager shows, such as TEST12345')
    .optional(),
});

export const metaCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the data set'),
});
