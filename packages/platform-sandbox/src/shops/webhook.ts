import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { idNumber } from './json-forms.ts';
import { buyer, majorUnits, type Order, randomDigits, randomLetters, remainderOf, serviceIdOf } from './order.ts';
import { type Change, commonSettings, type Message, type ShopKind } from './shop.ts';

const settingsSchema = z.strictObject({
  ...commonSettings,
  secret: z.string().min(1),
  signature: z.enum(['standard', 'hmac']).default('standard'),
  /** Of the signature, if it is not Standard Webhooks. */
  header: z.string().min(1).toLowerCase().default('x-signature'),
  prefix: z.string().default(''),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  body: z.enum(['json', 'form']).default('json'),
  /** With a comma, thousands are separated by a dot: `15.400,50`. */
  decimalMark: z.enum(['.', ',']).default('.'),
});
type Settings = z.infer<typeof settingsSchema>;

const isForm = ({ body }: Settings): boolean => body === 'form';

const amountText = (minor: number, currency: string, { decimalMark }: Settings): string => {
  const [whole = '', ...decimals] = majorUnits(minor, currency).split('.');
  if (decimalMark === '.') return [whole, ...decimals].join('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.'), ...decimals].join(',');
};

const typeOf = (change: Change, order: Order): string => {
  if (change === 'refunded' && remainderOf(order) > 0) return 'order.partially_refunded';
  return {
    created: 'order.created',
    paid: 'order.paid',
    failed: 'order.payment_failed',
    refunded: 'order.refunded',
    cancelled: 'order.cancelled',
  }[change];
};

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

const payloadOf = (change: Change, order: Order, settings: Settings) => {
  const { currency, email = null, phone = null, landingUrl = null } = order;
  const refund = order.refunds.at(-1);
  return {
    type: typeOf(change, order),
    timestamp: timeOf(order.updatedAtMs),
    data: {
      order: { id: isForm(settings) ? order.id : idNumber(order.id), number: order.number, test: order.isTest },
      total: amountText(remainderOf(order), currency, settings),
      currency,
      ...(refund && { refund: { id: refund.id, amount: amountText(refund.amount, currency, settings) } }),
      buyer: { email, phone, name: `${buyer.firstName} ${buyer.lastName}` },
      paid_at: timeOf(order.paidAtMs),
      landing_url: landingUrl,
      lead_reference: order.leadReference ?? serviceIdOf(order.landingUrl) ?? null,
    },
  };
};

/** The fields of a form with the names that PHP gives them, as in `data[order][id]`. */
const formFields = (value: unknown, name = ''): readonly (readonly [string, string])[] => {
  if (value === null) return [[name, '']];
  if (typeof value !== 'object') return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, below]) => formFields(below, name === '' ? key : `${name}[${key}]`));
};

const formOf = (payload: object): string =>
  new URLSearchParams(formFields(payload).map(([name, value]): [string, string] => [name, value])).toString();

/** The signature of Standard Webhooks, with the key of a secret `whsec_…`. */
export const signStandard = (id: string, seconds: number, body: string, secret: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};

/** The signature of the body alone. */
export const signBody = (
  body: string,
  { secret, prefix, encoding }: Pick<Settings, 'secret' | 'prefix' | 'encoding'>,
): string => prefix + createHmac('sha256', secret).update(body).digest(encoding);

const signatureOf = (id: string, body: string, settings: Settings, nowMs: number): Record<string, string> => {
  if (settings.signature === 'hmac') return { [settings.header]: signBody(body, settings) };
  const seconds = Math.floor(nowMs / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandard(id, seconds, body, settings.secret),
  };
};

/** A sender of Standard Webhooks, or of an HMAC of the body, as small shop systems are. */
export const webhook: ShopKind<Settings> = {
  name: 'webhook',
  settings: settingsSchema,
  signing: {
    headerOf: ({ signature, header }) => (signature === 'standard' ? 'webhook-signature' : header),
    withSecret: (settings, secret) => ({ ...settings, secret }),
  },
  // more than the 53 bits of a number in JavaScript
  newId: () => randomDigits(18),
  newRefundId: () => randomDigits(18),
  marksTests: true,
  words: {},
  tell: (change, order, settings) => {
    const id = `msg_${randomLetters(27)}`;
    const payload = payloadOf(change, order, settings);
    const body = isForm(settings) ? formOf(payload) : JSON.stringify(payload);
    const message: Message<Settings> = {
      topic: typeOf(change, order),
      request: (current, nowMs) => ({
        method: 'POST',
        url: current.url,
        headers: {
          'user-agent': 'InventedShop/3.1',
          accept: '*/*',
          'content-type': isForm(settings) ? 'application/x-www-form-urlencoded' : 'application/json',
          ...signatureOf(id, body, current, nowMs),
        },
        body,
      }),
    };
    return [message];
  },
  // as the specification of Standard Webhooks suggests: ten attempts within 75 hours
  retryAfterMinutes: [1, 5, 30, 120, 300, 600, 840, 1_200, 1_440],
  timeoutMs: 15_000,
  isTaken: (status) => status >= 200 && status < 300,
  switchesOffAt: { status: 410 },
};
