import { isDatabaseUnavailable } from '@leadback/db';
import { visitorTexts } from '@leadback/landing-page/visitor';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { sendNotice } from '../send-notice.ts';
import { showReceipt, showReceiptKeys } from './receipt-handlers.ts';
import type { VisitorContext } from './visitor-context.ts';
import { ownLeads } from './visitor-view.ts';
import { eraseLead, lookUpLead, showData, withdrawConsent } from './visitor-handlers.ts';

const afterLimitSeconds = 60;
const afterOutageSeconds = 300;

const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent || !isDatabaseUnavailable(error)) return next(error);
  response.set('Retry-After', String(afterOutageSeconds));
  sendNotice(request, response, 503, (language) => visitorTexts[language].notNow);
};

/** The pages on which visitors see and erase their data, and the receipts of erasures. */
export const visitorRoutes = (context: VisitorContext, readBody: RequestHandler): Router => {
  const admit: RequestHandler = (request, response, next) => {
    // with no-referrer, browsers without Sec-Fetch-Site would send their forms as if from nowhere
    response.set('Referrer-Policy', 'same-origin');
    // to look up another lead counts for the network
    const isLookUp = request.method === 'POST' && request.baseUrl === '/data' && request.path === '/';
    const [own] = isLookUp ? [] : ownLeads(context, request);
    if (context.admitVisitor(request, own?.reference)) return next();
    response.set('Retry-After', String(afterLimitSeconds));
    sendNotice(request, response, 429, (language) => visitorTexts[language].tooMany);
  };
  const router = Router();
  router.use(['/data', '/.well-known/leadback-receipts.json'], admit);
  router.route('/data').get(showData(context)).post(readBody, lookUpLead(context));
  router.post('/data/consent', readBody, withdrawConsent(context));
  router.post('/data/erase', readBody, eraseLead(context));
  router.get('/data/receipt/:id', showReceipt(context));
  router.get('/.well-known/leadback-receipts.json', showReceiptKeys(context));
  router.use(failed);
  return router;
};
