import type { LandingPage } from '@leadback/db';
import type { Request, Response } from 'express';

/** A request for a page, and the response to it. */
export interface Exchange {
  readonly page: LandingPage;
  readonly request: Request;
  readonly response: Response;
}
