import type { Logger } from '@leadback/runtime';
import type { RequestHandler } from 'express';

export interface ProxyCheck {
  readonly middleware: RequestHandler;
  /** Whether a request has come by way of a proxy although no proxy is trusted. */
  readonly isIgnoringProxy: () => boolean;
}

const headers = ['x-forwarded-for', 'forwarded'] as const;
const warning =
  'requests come by way of a proxy, but TRUST_PROXY=0: the addresses of visitors and callers are lost, and limits per address count the proxy as one caller. Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For; if there is none, the header was made up and this can be ignored';

/** Warns once if a proxy forwards requests to an app that trusts none. Never logs the addresses in the header. */
export const proxyCheck = (log: Logger, trustProxyHops: number): ProxyCheck => {
  let isIgnoringProxy = false;
  return {
    isIgnoringProxy: () => isIgnoringProxy,
    middleware(request, _response, next) {
      if (trustProxyHops === 0 && !isIgnoringProxy) {
        const header = headers.find((name) => request.get(name) !== undefined);
        if (header !== undefined) {
          isIgnoringProxy = true;
          log.warn({ setting: 'TRUST_PROXY', header }, warning);
        }
      }
      next();
    },
  };
};
