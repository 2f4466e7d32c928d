import type { Request } from 'express';
import { createIsbotFromList, list } from 'isbot';

// A headless browser is a browser all the same: it is what advertisers check their own campaigns with.
const isBot = createIsbotFromList(list.filter((pattern) => pattern !== 'headless'));

// the standard's, and what browsers sent before there was one
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Whether somebody is there: not a crawler, a link preview, a command-line client, a prefetch or a HEAD request. */
export const isVisitor = (request: Request): boolean => {
  const purpose = purposeHeaders.map((name) => request.get(name) ?? '').join(' ');
  return request.method !== 'HEAD' && !/prefetch|preview/i.test(purpose) && !isBot(request.get('user-agent') ?? '');
};
