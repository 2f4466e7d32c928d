import type { RequestHandler } from 'express';

// Each page has its own Content-Security-Policy.
const always = Object.entries({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  // the target page learns the host the visitor comes from, but not the click ids in the URL
  'Referrer-Policy': 'strict-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // the filter of old browsers could be turned against the page
  'X-XSS-Protection': '0',
  // images and crawlers' pages say otherwise
  'Cache-Control': 'no-store',
});

const yearSeconds = 31_536_000;
const overTls = `max-age=${yearSeconds}`;

/** Sets the security headers of every response; HSTS only if the visitor used TLS, to this app or to the proxy. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  for (const [name, value] of always) response.setHeader(name, value);
  if (request.secure) response.setHeader('Strict-Transport-Security', overTls);
  next();
};
