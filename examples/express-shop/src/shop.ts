import { randomBytes } from 'node:crypto';
import { type Leadback, LeadbackError, looksLikeLeadReference, verifyWebhook } from '@leadback/sdk';
import express, { type Express, type Request } from 'express';
import { buyPage, deliveriesPage, offerPage, orderPage } from './pages.ts';
import { reportLater } from './report-later.ts';

interface ShopOptions {
  readonly leadback: Leadback;
  /** `whsec_…`; without it, the shop takes no webhooks. */
  readonly webhookSecret?: string | undefined;
  readonly log: (text: string) => void;
  /** Pause before a report that failed is repeated. */
  readonly pauseMs?: number | undefined;
}

const field = ({ body }: Request, name: string): string => {
  const fields: unknown = body;
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** A shop without a database: its customers and orders are their numbers. */
export const shop = ({ leadback, webhookSecret, log, pauseMs }: ShopOptions): Express => {
  const report = reportLater(log, pauseMs);
  /** Customers who came from an advertisement; the others are not reported. */
  const reported = new Set<string>();
  const app = express();

  // the target page: the lead reference goes into the form
  app.get('/offer', ({ query: { serviceId } }, response) => {
    response.send(offerPage(looksLikeLeadReference(serviceId) ? serviceId : undefined));
  });

  app.post('/sign-up', express.urlencoded({ extended: false }), (request, response) => {
    const [leadReference, email] = [field(request, 'serviceId'), field(request, 'email')];
    const customer = `customer-${randomBytes(4).toString('hex')}`;
    if (looksLikeLeadReference(leadReference)) {
      reported.add(customer);
      report(customer, () => leadback.registerClient({ leadReference, email, externalReference: customer }));
    }
    response.send(buyPage(customer));
  });

  app.post('/buy', express.urlencoded({ extended: false }), (request, response) => {
    const [customer, order] = [field(request, 'customer'), `order-${randomBytes(4).toString('hex')}`];
    const sale = {
      clientExternalReference: customer,
      // once per order: a repeated report is recognized
      conversionExternalReference: order,
      amount: 149.9,
      currency: 'USD',
      occurredAt: new Date().toISOString(),
    } as const;
    if (reported.has(customer)) report(order, () => leadback.registerConversion(sale));
    response.send(orderPage(order));
  });

  app.get('/orders/:order', async ({ params: { order } }, response) => {
    try {
      const { deliveries } = await leadback.findConversion(order);
      response.send(deliveriesPage(order, deliveries));
    } catch (error) {
      if (!(error instanceof LeadbackError)) throw error;
      response.status(error.code === 'conversion-unknown' ? 404 : 503).send(deliveriesPage(order, []));
    }
  });

  if (webhookSecret === undefined) return app;
  // the body as received: a parsed one cannot be verified
  app.post('/leadback-webhook', express.raw({ type: '*/*' }), async (request, response) => {
    const body: unknown = request.body;
    try {
      const event = await verifyWebhook(body instanceof Uint8Array ? body : '', request.headers, webhookSecret);
      log(`${event.type}: ${JSON.stringify(event.data)}`);
      response.sendStatus(204);
    } catch (error) {
      log(String(error));
      response.sendStatus(400);
    }
  });
  return app;
};
