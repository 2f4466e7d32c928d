import { Refusal } from '@leadback/domain';
import { checkWebhookUrl, type EgressOptions, type Resolve, resolveHost } from '@leadback/platforms/address';

/** Resolves to why a URL is refused, or undefined. `ownHost`: by which the caller has reached this app. */
export type UrlCheck = (url: string, ownHost: string) => Promise<string | undefined>;

export interface UrlCheckOptions extends EgressOptions {
  /** Host names of this installation, besides those by which callers reach the app. */
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

/** Checks URLs of webhooks. Throws `overloaded` while too many names are looked up. */
export const urlCheck = ({ ownHosts, resolve: resolveName = resolveHost, ...egress }: UrlCheckOptions): UrlCheck => {
  const { lookups, resolve } = limitedResolve(resolveName);
  return async (url, ownHost) => {
    if (lookups.inProgress >= lookupsMax) throw new Refusal('overloaded');
    // on a developer's machine, everything has the same host
    const own = [...ownHosts, ownHost.toLowerCase()].filter((host) => !loopbackHosts.includes(host));
    return checkWebhookUrl(url, { ...egress, ownHosts: own, resolve });
  };
};
