import type { Logger } from '@leadback/runtime';
import type { RequestHandler } from 'express';

export interface ProxyCheck {
  readonly middleware: RequestHandler;
  /** Whether a request has come by way of a proxy within the last hour, although no proxy is trusted. */
  readonly isIgnoringProxy: () => boolean;
}

// the only header that Express reads addresses from
const header = 'x-forwarded-for';
// anybody can make the header up once
const rememberedMs = 3_600_000;
const warning =
  'requests come by way of a proxy, but TRUST_PROXY=0: the addresses of visitors and callers are lost, and limits per address count the proxy as one caller. Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For; if there is none, the header was made up and this can be ignored';

/** Warns once if a proxy forwards requests to an app that trusts none. Never logs the addresses in the header. */
export const proxyCheck = (log: Logger, trustProxyHops: number, nowMs = () => performance.now()): ProxyCheck => {
  let lastMs: number | undefined;
  return {
    isIgnoringProxy: () => lastMs !== undefined && nowMs() - lastMs < rememberedMs,
    middleware(request, _response, next) {
      if (trustProxyHops === 0 && request.get(header) !== undefined) {
        if (lastMs === undefined) log.warn({ setting: 'TRUST_PROXY', header }, warning);
        lastMs = nowMs();
      }
      next();
    },
  };
};
