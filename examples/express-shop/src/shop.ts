import { randomBytes } from 'node:crypto';
import { type Leadback, LeadbackError, looksLikeLeadReference, verifyWebhook } from '@leadback/sdk';
import express, { type Express, type Request } from 'express';
import { buyPage, deliveriesPage, offerPage, orderPage, type ReportsBy } from './pages.ts';
import { reportLater } from './report-later.ts';
import { orderAtWoocommerce } from './woocommerce.ts';

interface ShopOptions {
  readonly leadback: Leadback;
  /** `whsec_…`; without it, the shop takes no webhooks. */
  readonly webhookSecret?: string | undefined;
  /** Of a simulated WooCommerce shop, in which orders can be made instead. Without it, there is no switch. */
  readonly woocommerceUrl?: string | undefined;
  readonly log: (text: string) => void;
  /** Pause before a report that failed is repeated. */
  readonly pauseMs?: number | undefined;
}

const field = ({ body }: Request, name: string): string => {
  const fields: unknown = body;
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
};

const price = { amount: 149.9, currency: 'USD' } as const;

interface Customer {
  readonly leadReference: string;
  readonly email: string;
  /** How this customer's sale is reported: decided at the sign-up. */
  readonly by: ReportsBy;
}

/** A shop without a database: its customers and orders are their numbers. */
export const shop = ({ leadback, webhookSecret, woocommerceUrl, log, pauseMs }: ShopOptions): Express => {
  const report = reportLater(log, pauseMs);
  /** Customers who came from an advertisement; the others are not reported. */
  const customers = new Map<string, Customer>();
  let by: ReportsBy = 'calls';
  const app = express();

  // the target page: the lead reference goes into the form
  app.get('/offer', ({ query: { serviceId } }, response) => {
    const leadReference = looksLikeLeadReference(serviceId) ? serviceId : undefined;
    response.send(offerPage(leadReference, woocommerceUrl === undefined ? undefined : by));
  });

  // how sales are reported from now on
  app.post('/switch', express.urlencoded({ extended: false }), (request, response) => {
    by = woocommerceUrl !== undefined && field(request, 'by') === 'webhooks' ? 'webhooks' : 'calls';
    const leadReference = field(request, 'serviceId');
    response.redirect(303, looksLikeLeadReference(leadReference) ? `/offer?serviceId=${leadReference}` : '/offer');
  });

  app.post('/sign-up', express.urlencoded({ extended: false }), (request, response) => {
    const [leadReference, email] = [field(request, 'serviceId'), field(request, 'email')];
    const customer = `customer-${randomBytes(4).toString('hex')}`;
    if (looksLikeLeadReference(leadReference)) {
      customers.set(customer, { leadReference, email, by });
      // a WooCommerce shop tells who the client is with the order
      if (by === 'calls') {
        report(customer, () => leadback.registerClient({ leadReference, email, externalReference: customer }));
      }
    }
    response.send(buyPage(customer));
  });

  app.post('/buy', express.urlencoded({ extended: false }), async (request, response) => {
    const [customer, order] = [field(request, 'customer'), `order-${randomBytes(4).toString('hex')}`];
    const known = customers.get(customer);
    if (known?.by === 'webhooks' && woocommerceUrl !== undefined) {
      const { leadReference, email } = known;
      const landingUrl = `${request.protocol}://${request.host}/offer?serviceId=${leadReference}`;
      response.send(orderPage(await orderAtWoocommerce(woocommerceUrl, { landingUrl, email, ...price })));
      return;
    }
    const sale = {
      clientExternalReference: customer,
      // once per order: a repeated report is recognized
      conversionExternalReference: order,
      ...price,
      occurredAt: new Date().toISOString(),
    } as const;
    if (known) report(order, () => leadback.registerConversion(sale));
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
