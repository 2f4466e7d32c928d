import { z } from 'zod';
import { eventNameSchema, leadEventNameSchema, testEventCodeSchema, valueSchema } from '../definition.ts';
import { secretText } from '../exchange.ts';

const actionSources = ['website', 'system_generated', 'other'] as const;
const pixelId = 'expected the digits of the data set (pixel) id, as Events Manager shows it';

const refundEvent = 'expected the name of an event of its own, such as Refund';

export const metaSettingsSchema = z.object({
  pixelId: z
    .string({ error: pixelId })
    .trim()
    .regex(/^\d+$/, pixelId)
    .meta({ help: 'the data set (pixel), as Events Manager shows it', value: 'id' }),
  eventName: eventNameSchema,
  leadEventName: leadEventNameSchema,
  value: valueSchema,
  refundEvent: z.string({ error: refundEvent }).trim().min(1, refundEvent).optional().meta({
    help: 'name of the custom event for what was taken back, such as Refund; without it, such adjustments are skipped',
    value: 'name',
  }),
  /** Meta may use events with this code for measurement nevertheless. */
  testEventCode: testEventCodeSchema,
  actionSource: z
    .enum(actionSources, `expected ${actionSources.join(', ')}`)
    .optional()
    .meta({
      help: `where conversions take place, if not where the visitor landed: ${actionSources.join(', ')}`,
      value: 'place',
    }),
});

export type MetaSettings = z.infer<typeof metaSettingsSchema>;

export const metaCredentialsSchema = z.object({
  accessToken: secretText('expected the access token that Events Manager generates for the data set').meta({
    help: 'from Events Manager: Settings, Conversions API, "Generate access token"',
    value: 'token',
    isSecret: true,
  }),
  appSecret: secretText('expected the app secret, as the basic settings of the app show it').optional().meta({
    help: 'secret of the app that made the token, if the app requires appsecret_proof',
    value: 'secret',
    isSecret: true,
  }),
});
