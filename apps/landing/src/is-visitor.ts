import type { Request } from 'express';
import { createIsbotFromList, list } from 'isbot';

// A headless browser is a browser all the same: it is what advertisers check their own campaigns with.
const isBot = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'));

/** Whether somebody is there: not a crawler, a link preview, a command-line client, a prefetch or a HEAD request. */
export const isVisitor = (request: Request): boolean => {
  const purpose = request.get('sec-purpose') ?? request.get('purpose') ?? '';
  return request.method !== 'HEAD' && !/prefetch|preview/i.test(purpose) && !isBot(request.get('user-agent') ?? '');
};
