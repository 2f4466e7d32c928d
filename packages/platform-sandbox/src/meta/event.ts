import { z } from 'zod';
import { userDataSchema } from './user-data.ts';

const actionSources = [
  'email',
  'website',
  'app',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
] as const;

const webAddress = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' });

/** "Server event parameters". Undocumented fields are accepted, as by Meta. */
export const eventSchema = z.object({
  event_name: z.string().min(1),
  event_time: z.int({ error: 'must be whole seconds since 1970' }),
  event_id: z.string().min(1).optional(),
  action_source: z.enum(actionSources),
  event_source_url: webAddress.optional(),
  opt_out: z.boolean().optional(),
  data_processing_options: z.array(z.literal('LDU')).optional(),
  data_processing_options_country: z.literal([0, 1]).optional(),
  data_processing_options_state: z.int().min(0).optional(),
  user_data: userDataSchema,
  custom_data: z
    .object({
      value: z.number().min(0).optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217 in three capitals')
        .optional(),
      order_id: z.string().min(1).optional(),
    })
    .optional(),
});
export type MetaEvent = z.infer<typeof eventSchema>;
