import type { Request, Response } from 'express';

/**
 * Declines a prefetch with 503. The browser would cache a redirect and follow it at the click, without a lead; after a
 * 503 it sends a new request.
 */
export const declinePrefetch = (request: Request, response: Response): void => {
  request.isDeclined = true;
  response.status(503).set('Cache-Control', 'no-store').type('text').send('not available before the click\n');
};
