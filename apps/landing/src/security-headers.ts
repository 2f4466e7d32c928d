import type { RequestHandler } from 'express';
import helmet from 'helmet';

const yearSeconds = 31_536_000;

const always = helmet({
  // each page has its own policy
  contentSecurityPolicy: false,
  strictTransportSecurity: false,
  // the target page learns the host the visitor comes from, but not the click ids in the URL
  referrerPolicy: { policy: 'strict-origin' },
  xFrameOptions: { action: 'deny' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
});

/** Sets the security headers of every response; HSTS only if the visitor used TLS, to this app or to the proxy. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  if (request.secure) response.set('Strict-Transport-Security', `max-age=${yearSeconds}`);
  always(request, response, next);
};
