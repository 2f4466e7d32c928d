import type { Database } from '@leadback/db';
import { urlCheck, type UrlCheckOptions, type Webhooks, webhooks } from '@leadback/intake';
import { type WebhookDeliveryLister, webhookDeliveryLister } from '@leadback/reports';
import type { SecretsKeys } from '@leadback/secrets';

/** What the endpoints of webhooks use. */
export interface WebhookContext extends Webhooks {
  readonly deliveries: WebhookDeliveryLister;
}

export interface WebhookOptions extends UrlCheckOptions {
  readonly secretsKeys: SecretsKeys;
}

export const webhookContext = (
  { pool, em }: Pick<Database, 'pool' | 'em'>,
  { secretsKeys, ...ofUrls }: WebhookOptions,
): WebhookContext => ({
  ...webhooks(pool, { em, secretsKeys, checkUrl: urlCheck(ofUrls) }),
  deliveries: webhookDeliveryLister(pool),
});
