import { z } from 'zod';
import { eventNameSchema, testEventCodeSchema } from '../event-settings.ts';
import { secretText } from '../secret-text.ts';

const pixelId = 'expected the digits of the data set (pixel) id, as Events Manager shows it';

export const metaSettingsSchema = z.object({
  pixelId: z.string({ error: pixelId }).trim().regex(/^\d+$/, pixelId),
  eventName: eventNameSchema,
  /** Meta may measure with what comes under it all the same. */
  testEventCode: testEventCodeSchema,
});

export const metaCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the data set'),
});
