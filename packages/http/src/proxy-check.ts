import type { Logger } from '@leadback/runtime';
import type { RequestHandler } from 'express';

export interface ProxyCheck {
  readonly middleware: RequestHandler;
  /** Whether a request arrived through a proxy in the last hour although no proxy is trusted. */
  readonly isIgnoringProxy: () => boolean;
  /** Whether most requests arrived through a proxy that ends TLS although no proxy is trusted. */
  readonly isMissingTls: () => boolean;
}

// Express reads client addresses only from this header
const header = 'x-forwarded-for';
// from proxies that end TLS
const protocolHeader = 'x-forwarded-proto';
// the weight of a request in the part of them that come from such a proxy: clients can forge the header, but not in most
const weight = 0.01;
// clients can forge the header: the finding expires
const rememberedMs = 3_600_000;
const warning =
  'requests arrive through a proxy, but TRUST_PROXY=0: the IP addresses of visitors and callers are lost, and limits per address count the proxy as one caller. Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For; if there is no proxy, a client forged the header: ignore this warning';

/** Warns once if a proxy forwards requests although none is trusted. Never logs the IP addresses in the header. */
export const proxyCheck = (log: Logger, trustProxyHops: number, nowMs = () => performance.now()): ProxyCheck => {
  let lastMs: number | undefined;
  let lastTlsMs: number | undefined;
  let partOfTls: number | undefined;
  const noteTls = (isTls: boolean): void => {
    const part = isTls ? 1 : 0;
    partOfTls = partOfTls === undefined ? part : partOfTls + weight * (part - partOfTls);
    if (isTls) lastTlsMs = nowMs();
  };
  return {
    isMissingTls: () => (partOfTls ?? 0) > 0.5 && lastTlsMs !== undefined && nowMs() - lastTlsMs < rememberedMs,
    isIgnoringProxy: () => lastMs !== undefined && nowMs() - lastMs < rememberedMs,
    middleware(request, _response, next) {
      if (trustProxyHops === 0) noteTls(request.headers[protocolHeader] === 'https');
      if (trustProxyHops === 0 && request.headers[header] !== undefined) {
        if (lastMs === undefined) log.warn({ setting: 'TRUST_PROXY', header }, warning);
        lastMs = nowMs();
      }
      next();
    },
  };
};
