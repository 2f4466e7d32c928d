import type { Request } from 'express';
import { createIsbotFromList, list } from 'isbot';

/**
 * visitor: somebody is there. prefetch: a browser, or an app with one in it, that may show the answer to somebody later.
 * nobody: a crawler, a link preview, a command-line client, a HEAD request.
 */
export type Requester = 'visitor' | 'prefetch' | 'nobody';

// A headless browser is a browser all the same: it is what advertisers check their own campaigns with.
const isBot = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'));

// the standard's, and what browsers sent before there was one
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export const classifyRequester = (request: Request): Requester => {
  if (request.method === 'HEAD' || isBot(request.get('user-agent') ?? '')) return 'nobody';
  const purpose = purposeHeaders.map((name) => request.get(name) ?? '').join(' ');
  return /prefetch|prerender|preview/i.test(purpose) ? 'prefetch' : 'visitor';
};

/**
 * Whether the response is to be shown as a page of its own; an image, a script or a frame is not. Browsers that do not
 * say what they ask for (`Sec-Fetch-Dest`) are taken at their best.
 */
export const isNavigation = (request: Request): boolean => (request.get('sec-fetch-dest') ?? 'document') === 'document';
