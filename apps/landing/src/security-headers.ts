import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { pageStyle } from './page-style.ts';

const styleHash = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;

/**
 * No script at all, our one style sheet, nobody's frame. `form-action` is left out on purpose: browsers apply it to the
 * whole chain of redirects after the form, and the advertiser's page may well redirect to another host of his.
 */
export const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: [styleHash],
      imgSrc: ['https:', 'data:'],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // the advertiser learns where his visitor comes from, but not the click ids in the address
  referrerPolicy: { policy: 'strict-origin' },
  xFrameOptions: { action: 'deny' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
});
