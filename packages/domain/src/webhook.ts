import { z } from 'zod';

/** The settings of a webhook, as stored with its connection. */
export const webhookSettingsSchema = z.object({ url: z.url() });

const secret = z.string().startsWith('whsec_');

/**
 * The credentials of a webhook, as stored encrypted. `whsec_` and base64. After a rotation the secrets before sign as
 * well, each until a time (by the clock of the worker, which also gives each attempt its time). There are several if the
 * partner rotates again, as after a lost response: its receiver may still know the first one alone.
 */
export const webhookCredentialsSchema = z.object({
  secret,
  /** Newest first. */
  earlier: z.array(z.object({ secret, until: z.iso.datetime() })).optional(),
});
export type WebhookCredentials = z.infer<typeof webhookCredentialsSchema>;

/** Why Leadback has paused a webhook (`state_reason`); without one, the partner or an operator has. */
export const webhookPauses = {
  /** It responded with 410. */
  gone: 'gone',
  /** It accepted nothing for three days. */
  failing: 'failing',
} as const;

/** The `state_reason` of a webhook that its partner deleted. The row stays for the log, and is never resumed. */
export const webhookDeleted = 'deleted';

/** How many webhooks an account may have of each mode. */
export const webhooksMax = 10;
