import type { Request, Response } from 'express';

/**
 * Declines to be fetched before anybody has clicked. A redirect would be kept and followed at the click, without a lead;
 * after a 503 the browser asks again.
 */
export const declinePrefetch = (request: Request, response: Response): void => {
  request.isDeclined = true;
  response.status(503).set('Cache-Control', 'no-store').type('text').send('not available before the click\n');
};
