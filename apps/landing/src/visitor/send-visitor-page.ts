import { contentSecurityPolicy } from '@leadback/landing-page';
import { visitorStyle } from '@leadback/landing-page/visitor';
import type { Request, Response } from 'express';
import { wholeText } from '../pages/gzip-template.ts';
import { sendHtml } from '../send-page.ts';

const policy = `${contentSecurityPolicy(visitorStyle)};form-action 'self'`;

export const sendVisitorPage = (request: Request, response: Response, html: string): void =>
  sendHtml(request, response, policy, wholeText(html));
