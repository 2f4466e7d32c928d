import { languages } from '@leadback/domain';
import { contentSecurityPolicy, pageMessages, pageStyle, renderNotice } from '@leadback/landing-page';
import type { Request, Response } from 'express';

const style = pageStyle(null);
const policy = contentSecurityPolicy(style);
const noticeOf = { 404: 'notFound', 503: 'notNow' } as const;

/** Sends an error page in the language of the browser. */
export const sendNotice = (request: Request, response: Response, status: 404 | 503): void => {
  const language = languages.find((one) => one === request.acceptsLanguages(...languages)) ?? languages[0];
  response.status(status).set('Content-Security-Policy', policy).type('html');
  response.send(renderNotice(pageMessages[language][noticeOf[status]], language, style));
};
