import { z } from 'zod';
import { eventNameSchema, leadEventNameSchema, testEventCodeSchema } from '../event-settings.ts';
import { secretText } from '../secret-text.ts';

const pixelCode = 'expected the code of the pixel, letters and digits, as Events Manager shows it';

export const tiktokSettingsSchema = z.object({
  pixelCode: z
    .string({ error: pixelCode })
    .trim()
    .regex(/^[A-Z0-9]+$/i, pixelCode)
    .meta({ label: 'Pixel code', help: 'the pixel, as Events Manager shows it', value: 'code' }),
  eventName: eventNameSchema,
  leadEventName: leadEventNameSchema,
  testEventCode: testEventCodeSchema,
});

export const tiktokCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the pixel').meta({
    label: 'Access token',
    help: 'from Events Manager: the pixel, Settings, Events API, "Generate access token"',
    value: 'token',
    isSecret: true,
  }),
});
