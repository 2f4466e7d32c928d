import { Refusal } from '@leadback/domain';
import type { EntityManager, Pool } from '@leadback/db';
import { type SecretsKeys, webhookKeys } from '@leadback/domain/keys';
import { type WebhookChanger, webhookChanger } from './change-webhook.ts';
import { type WebhookCreator, webhookCreator } from './create-webhook.ts';
import { type WebhookDeleter, webhookDeleter } from './delete-webhook.ts';
import { type WebhookFinder, webhookFinder, type WebhookLister, webhookLister } from './read-webhooks.ts';
import { type SecretRotator, secretRotator } from './rotate-secret.ts';
import { type WebhookRetrier, webhookRetrier, type WebhookTester, webhookTester } from './send-to-webhook.ts';
import type { UrlCheck } from './url-check.ts';

type WithOwnHost<Act extends (...parameters: never[]) => unknown> = (
  ...parameters: [...Parameters<Act>, ownHost: string]
) => ReturnType<Act>;

/** Webhooks of an account and mode. */
export interface Webhooks {
  readonly list: WebhookLister;
  readonly find: WebhookFinder;
  /** Throws `invalid-fields` if the URL is refused, too. */
  readonly create: WithOwnHost<WebhookCreator>;
  readonly change: WithOwnHost<WebhookChanger>;
  readonly delete: WebhookDeleter;
  readonly rotateSecret: SecretRotator;
  readonly test: WebhookTester;
  readonly retry: WebhookRetrier;
}

interface WebhooksOptions {
  /** A fork for one unit of work. */
  readonly em: () => EntityManager;
  readonly secretsKeys: SecretsKeys;
  readonly checkUrl: UrlCheck;
}

export const webhooks = (pool: Pool, { em, secretsKeys, checkUrl }: WebhooksOptions): Webhooks => {
  const keys = webhookKeys(secretsKeys);
  const create = webhookCreator(pool, keys);
  const change = webhookChanger(pool, em);
  /** In the form in which it is stored and compared. */
  const accepted = async (url: string, ownHost: string): Promise<string> => {
    const problem = await checkUrl(url, ownHost);
    if (problem !== undefined) throw new Refusal('invalid-fields', { message: `url: ${problem}` });
    return new URL(url).href;
  };
  return {
    list: webhookLister(pool),
    find: webhookFinder(pool),
    create: async (caller, { url, events }, ownHost) => create(caller, { url: await accepted(url, ownHost), events }),
    change: async (caller, id, { url, ...others }, ownHost) =>
      change(caller, id, { ...others, url: url === undefined ? undefined : await accepted(url, ownHost) }),
    delete: webhookDeleter(pool, em, keys),
    rotateSecret: secretRotator(pool, keys),
    test: webhookTester(pool, em),
    retry: webhookRetrier(pool),
  };
};
