import { z } from 'zod';

/** The settings of a webhook, as stored with its connection. */
export const webhookSettingsSchema = z.object({ url: z.url() });

/**
 * The credentials of a webhook, as stored encrypted. `whsec_` and base64. After a rotation the previous secret signs as
 * well, until `previousUntil` (by the clock of the worker, which also gives each attempt its time).
 */
export const webhookCredentialsSchema = z.object({
  secret: z.string().startsWith('whsec_'),
  previousSecret: z.string().startsWith('whsec_').optional(),
  previousUntil: z.iso.datetime().optional(),
});
export type WebhookCredentials = z.infer<typeof webhookCredentialsSchema>;

/** Why Leadback has paused a webhook (`state_reason`); without one, the partner or an operator has. */
export const webhookPauses = {
  /** It responded with 410. */
  gone: 'gone',
  /** It accepted nothing for three days. */
  failing: 'failing',
} as const;
