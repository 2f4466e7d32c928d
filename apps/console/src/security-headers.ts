import type { RequestHandler } from 'express';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const always = Object.entries({
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // no other site learns the path; the console itself knows by the origin of a form that it is its own
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
});

const yearSeconds = 31_536_000;

/** Sets the security headers of every response; HSTS only over TLS. Files say themselves how they may be cached. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  for (const [name, value] of always) response.setHeader(name, value);
  if (request.secure) response.setHeader('Strict-Transport-Security', `max-age=${yearSeconds}`);
  next();
};
