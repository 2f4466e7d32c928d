import { contentSecurityPolicy, type Notice, pageMessages, pageStyle, renderNotice } from '@leadback/landing-page';
import type { Language } from '@leadback/domain';
import type { Request, Response } from 'express';
import { languageOf } from './language-of.ts';

const style = pageStyle(null);
const policy = contentSecurityPolicy(style);
const noticeOf = { 404: 'notFound', 503: 'notNow' } as const;

/** Sends a notice in the language of the browser. */
export const sendNotice = (
  request: Request,
  response: Response,
  status: 404 | 429 | 503,
  noticeIn: (language: Language) => Notice,
): void => {
  const language = languageOf(request);
  response.status(status).set('Content-Security-Policy', policy).type('html');
  response.send(renderNotice(noticeIn(language), language, style));
};

/** Sends the error page of landing pages. */
export const sendErrorPage = (request: Request, response: Response, status: 404 | 503): void =>
  sendNotice(request, response, status, (language) => pageMessages[language][noticeOf[status]]);
