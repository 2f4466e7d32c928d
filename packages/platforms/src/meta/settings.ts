import { z } from 'zod';
import { eventNameSchema, testEventCodeSchema } from '../event-settings.ts';
import { secretText } from '../secret-text.ts';

const actionSources = ['website', 'system_generated', 'other'] as const;
const pixelId = 'expected the digits of the data set (pixel) id, as Events Manager shows it';

export const metaSettingsSchema = z.object({
  pixelId: z.string({ error: pixelId }).trim().regex(/^\d+$/, pixelId),
  eventName: eventNameSchema,
  /** Meta may use events with this code for measurement nevertheless. */
  testEventCode: testEventCodeSchema,
  /** Where conversions take place, if not on the website ("server event parameters"). */
  actionSource: z.enum(actionSources, `expected ${actionSources.join(', ')}`).optional(),
});

export type MetaSettings = z.infer<typeof metaSettingsSchema>;

export const metaCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the data set'),
  /** The secret of the app that issued the token, if that app requires a proof with each request. */
  appSecret: secretText('expected the app secret, as the basic settings of the app show it').optional(),
});
