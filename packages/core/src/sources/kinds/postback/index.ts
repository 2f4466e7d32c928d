import { createHash } from 'node:crypto';
import { z } from 'zod';
import { currencyIn, writtenDecimal } from '../../amounts.ts';
import { readBody, readForm, textOf } from '../../body.ts';
import { defineKind, type Meaning, type ReceivedRequest } from '../../kind.ts';
import { timeIn, unpaidOrder } from '../webhook/map.ts';
import { postbackTexts } from './texts.ts';

/** What networks and trackers call what we need, in small letters: ours first. */
const names = {
  ref: ['ref', 'leadreference', 'serviceid', 'clickid', 'click_id', 'click-id', 'subid', 'sub_id', 'cid'],
  order: ['order', 'orderid', 'order_id', 'txid', 'tid', 'transaction_id', 'transactionid', 'oid'],
  amount: ['amount', 'sum', 'revenue', 'payout', 'value'],
  currency: ['currency', 'cur'],
  status: ['status', 'state', 'et', 'type'],
  email: ['email'],
  name: ['name'],
  phone: ['phone', 'phonenumber'],
  client: ['clientexternalreference', 'client'],
  occurredAt: ['occurredat', 'time', 'date'],
} as const;
type Name = keyof typeof names;

/** A placeholder that its sender did not know, or a template that nobody has filled. */
const unfilled = /^(?:\{.*\}|\[.*\]|#.*#|%%?.*%%?|\$\{.*\}|REPLACE|OPTIONAL|null|undefined)$/;

const statuses: Readonly<Record<string, 'sale' | 'retract' | 'cancel' | 'unpaid'>> = {
  sale: 'sale',
  approved: 'sale',
  confirmed: 'sale',
  paid: 'sale',
  completed: 'sale',
  purchase: 'sale',
  deposit: 'sale',
  rejected: 'cancel',
  cancelled: 'cancel',
  canceled: 'cancel',
  reversed: 'retract',
  refunded: 'retract',
  chargeback: 'retract',
  trash: 'cancel',
  lead: 'unpaid',
  hold: 'unpaid',
  pending: 'unpaid',
  registration: 'unpaid',
};

const fieldsOf = (request: ReceivedRequest): Readonly<Record<string, unknown>> => {
  const ofQuery = readForm(request.query);
  if (request.method === 'GET' || request.body.length === 0) return ofQuery;
  const isJson = /json/i.test(request.headers['content-type'] ?? '');
  const sent = isJson ? readBody(request) : readForm(textOf(request.body));
  return typeof sent === 'object' && sent !== null ? { ...ofQuery, ...sent } : ofQuery;
};

const valuesOf = (request: ReceivedRequest): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(fieldsOf(request))) {
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
    const own = name.toLowerCase();
    if (text !== '' && !unfilled.test(text) && !values.has(own)) values.set(own, text);
  }
  return values;
};

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

const meaningOf = (read: (name: Name) => string | undefined): Meaning => {
  const status = read('status')?.toLowerCase();
  const direction = status === undefined ? 'sale' : statuses[status];
  if (direction === undefined) return { kind: 'nothing', reason: 'not-used', message: 'status: not known' };
  const ref = read('ref');
  // without a number of its own, a repeat and a second sale of the click are alike: the click counts once
  const reference = read('order') ?? ref;
  if (direction === 'unpaid') return unpaidOrder(reference);
  if (reference === undefined) return wrong('order: the parameter is missing, or its placeholder was not filled');
  if (direction === 'retract' || direction === 'cancel') {
    const to = { kind: 'retract', isCancellation: direction === 'cancel' } as const;
    return { kind: 'change', change: { reference, to } };
  }
  const currency = currencyIn(read('currency'));
  if (read('currency') !== undefined && currency === undefined) return wrong('currency: not of ISO 4217');
  const amount = writtenDecimal(read('amount'), currency);
  if (amount === undefined) return wrong('amount: the parameter is missing, or is no amount');
  const buyer = {
    email: read('email'),
    name: read('name'),
    phone: read('phone'),
    externalReference: read('client'),
  };
  const paidAt = timeIn(read('occurredAt'));
  return {
    kind: 'order',
    order: { reference, isPaid: true, total: amount, left: amount, currency, paidAt, leadReference: ref, buyer },
  };
};

/** Calls of trackers and affiliate networks, one for each sale. They are not signed: the URL is the secret. */
export const postback = defineKind({
  name: 'postback',
  title: 'Postback',
  texts: postbackTexts,
  settings: z.object({}),
  secrets: z.object({}),
  query: {
    template: 'ref={click_id}&order={transaction_id}&amount={revenue}&currency=USD&status=sale',
    test: 'ref=test&order=test&status=pending',
  },
  methods: ['GET', 'POST'],
  open: () => ({
    verify: () => 'genuine',
    read(request) {
      const values = valuesOf(request);
      const read = (name: Name) => names[name].map((one) => values.get(one)).find((value) => value !== undefined);
      return {
        event: (read('status') ?? 'sale').toLowerCase().slice(0, 100),
        key: createHash('sha256').update(request.query).update('\n').update(request.body).digest('base64url'),
        means: meaningOf(read),
        searched: Object.fromEntries(values),
      };
    },
  }),
});
