import type { Database } from '@leadback/db';
import { checkWebhookUrl, type Resolve, resolveHost } from '@leadback/egress';
import { Refusal } from '@leadback/domain';
import { type UrlCheck, type Webhooks, webhooks } from '@leadback/intake';
import { type WebhookDeliveryLister, webhookDeliveryLister } from '@leadback/reports';
import type { SecretsKeys } from '@leadback/secrets';

/** What the endpoints of webhooks use. */
export interface WebhookContext extends Webhooks {
  readonly deliveries: WebhookDeliveryLister;
}

export interface WebhookOptions {
  readonly secretsKeys: SecretsKeys;
  /** Whether webhooks may be on this machine, also without TLS: for tests. */
  readonly allowLoopback: boolean;
  /** Host names of this installation, besides those by which callers reach the API. */
  readonly ownHosts: readonly string[];
  /** Replaces DNS. */
  readonly resolve?: Resolve;
}

// Node.js resolves names in the four threads that also read files: a slow DNS server must not occupy all of them
const lookupsMax = 2;
const lookupMs = 2_500;

/** As `resolveHost`, but rejects if it takes long. `inProgress`: how many look-ups have not ended, late ones included. */
const limitedResolve = (resolveName: Resolve) => {
  const lookups = { inProgress: 0 };
  const resolve: Resolve = (host) => {
    lookups.inProgress += 1;
    const found = resolveName(host).finally(() => {
      lookups.inProgress -= 1;
    });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the look-up took too long')), lookupMs);
    return Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
  };
  return { lookups, resolve };
};

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

const urlCheck = ({ allowLoopback, ownHosts, resolve: resolveName = resolveHost }: WebhookOptions): UrlCheck => {
  const { lookups, resolve } = limitedResolve(resolveName);
  return async (url, ownHost) => {
    if (lookups.inProgress >= lookupsMax) throw new Refusal('overloaded');
    // on a developer's machine, everything has the same host
    const own = [...ownHosts, ownHost.toLowerCase()].filter((host) => !loopbackHosts.includes(host));
    return checkWebhookUrl(url, { ownHosts: own, allowLoopback, resolve });
  };
};

export const webhookContext = (
  { pool, em }: Pick<Database, 'pool' | 'em'>,
  options: WebhookOptions,
): WebhookContext => ({
  ...webhooks(pool, { em, secretsKeys: options.secretsKeys, checkUrl: urlCheck(options) }),
  deliveries: webhookDeliveryLister(pool),
});
