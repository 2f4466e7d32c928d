import type { Response } from 'express';
import type { BuiltPage } from './pages/built-page.ts';

/** Sends a page to its visitor, under the policy that was made for it. */
export const sendPage = (response: Response, built: BuiltPage, html: string): void => {
  response.set('Content-Security-Policy', built.contentSecurityPolicy).type('html').send(html);
};
