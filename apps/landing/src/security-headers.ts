import type { RequestHandler } from 'express';
import helmet from 'helmet';

const yearSeconds = 31_536_000;

const always = helmet({
  // a policy of its own for each page
  contentSecurityPolicy: false,
  strictTransportSecurity: false,
  // the advertiser learns where his visitor comes from, but not the click ids in the address
  referrerPolicy: { policy: 'strict-origin' },
  xFrameOptions: { action: 'deny' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
});

/** Headers that every answer carries; HSTS where the visitor came by TLS, to us or to the proxy in front. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  if (request.secure) response.set('Strict-Transport-Security', `max-age=${yearSeconds}`);
  always(request, response, next);
};
