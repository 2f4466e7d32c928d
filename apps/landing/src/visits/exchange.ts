import type { LandingPage } from '@leadback/db';
import type { Request, Response } from 'express';

export interface Exchange {
  readonly page: LandingPage;
  readonly request: Request;
  readonly response: Response;
}
