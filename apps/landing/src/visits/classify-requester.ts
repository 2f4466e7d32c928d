import type { Request } from 'express';
import { createIsbotFromList, list } from 'isbot';
import { cachedBy } from '../cached-by.ts';

/**
 * visitor: a person with a browser. prefetch: a browser or an app that may show the response later. bot: a crawler, a
 * link preview, a command-line client, or a HEAD request.
 */
export type Requester = 'visitor' | 'prefetch' | 'bot';

// A headless browser counts as a browser: advertisers check their campaigns with it.
const matchesBot = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'));
const isBot = cachedBy();

// the standard header, and those of older browsers
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export const classifyRequester = (request: Request): Requester => {
  const userAgent = request.get('user-agent') ?? '';
  if (request.method === 'HEAD' || isBot(userAgent, () => matchesBot(userAgent))) return 'bot';
  const isEarly = purposeHeaders.some((name) => {
    const purpose = request.headers[name];
    return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose));
  });
  return isEarly ? 'prefetch' : 'visitor';
};

/**
 * Whether the response is shown as a page, and not used as an image, script or frame. Browsers that send no
 * `Sec-Fetch-Dest` count as navigating.
 */
export const isNavigation = (request: Request): boolean => (request.get('sec-fetch-dest') ?? 'document') === 'document';
