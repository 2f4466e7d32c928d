import { instantOf, isPlainName, nearestName } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, writtenDecimal } from '../../amounts.ts';
import { isRecord, textIn, valueAt } from '../../body.ts';
import type { Meaning, SourceOrder } from '../../kind.ts';

const expectedPath = 'expected a path such as data.order.id, or = and a constant such as =ARS';
const path = z.string(expectedPath).trim().min(1, expectedPath).max(200);

const condition = z.strictObject(
  {
    path: z.string(expectedPath).trim().min(1, expectedPath).max(200),
    is: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1, 'must not be empty'),
  },
  'expected an object such as {"path": "type", "is": ["order.paid"]}',
);

const expectedMap =
  'expected a JSON object such as {"conversionExternalReference": "data.order.id", "amount": "data.total"}';

/** Names what is wrong with a map as a whole: mostly a name that was mistyped. */
const wrongMap = ({ code, keys = [] }: { readonly code?: string; readonly keys?: readonly string[] }): string => {
  const [name] = keys;
  if (code !== 'unrecognized_keys' || name === undefined || !isPlainName(name)) return expectedMap;
  const meant = nearestName(name, Object.keys(mapSchema.shape));
  return `there is no field ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
};

/** Where a message has what we need, by our names. Each is a path into the message, or a constant after =. */
export const mapSchema = z.strictObject(
  {
    conversionExternalReference: path,
    amount: path,
    currency: path.optional(),
    occurredAt: path.optional(),
    leadReference: path.optional(),
    email: path.optional(),
    name: path.optional(),
    phoneNumber: path.optional(),
    clientExternalReference: path.optional(),
    landingUrl: path.optional(),
    eventId: path.optional(),
    eventName: path.optional(),
    netAmount: path.optional(),
    /** A time of the order, which grows with each change of it. */
    updatedAt: path.optional(),
    /** Which messages are sales; default: all others. */
    when: condition.optional(),
    /** Which take a sale back. */
    retractWhen: condition.optional(),
    /** Which have a new total. */
    restateWhen: condition.optional(),
    /** Which are tests. */
    testWhen: condition.optional(),
  },
  { error: (issue) => wrongMap(issue) },
);
type FieldMap = z.output<typeof mapSchema>;
type Field = Exclude<keyof FieldMap, 'when' | 'retractWhen' | 'restateWhen' | 'testWhen'>;

// what services call what we need, by their names in small letters without separators
const otherNames: Readonly<Partial<Record<Field, readonly string[]>>> = {
  conversionExternalReference: ['conversionexternalreference', 'orderid', 'order', 'orderreference', 'reference', 'id'],
  amount: ['amount', 'total', 'value', 'totalamount', 'price'],
  currency: ['currency', 'currencycode'],
  occurredAt: ['occurredat', 'paidat', 'createdat', 'timestamp', 'date'],
  leadReference: ['leadreference', 'serviceid'],
  email: ['email', 'customeremail', 'buyeremail'],
  name: ['name', 'customername', 'fullname'],
  phoneNumber: ['phonenumber', 'phone', 'customerphone'],
  clientExternalReference: ['clientexternalreference', 'clientid', 'customerid'],
  landingUrl: ['landingurl', 'landingpage', 'landingsite'],
  eventId: ['eventid'],
  eventName: ['eventname'],
  netAmount: ['netamount'],
  updatedAt: ['updatedat', 'modifiedat'],
};

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Without a map: the first field of one of our names, in `data` or beside it. */
const guessed = (message: unknown, field: Field): unknown => {
  const scopes = [valueAt(message, 'data'), message].filter(isRecord);
  for (const name of otherNames[field] ?? []) {
    for (const scope of scopes) {
      const found = Object.entries(scope).find(([own]) => lettersOf(own) === name)?.[1];
      if (textIn(found) !== undefined) return found;
    }
  }
  return undefined;
};

const valueOf = (message: unknown, map: FieldMap | undefined, field: Field): unknown => {
  if (map === undefined) return guessed(message, field);
  const wanted = map[field];
  if (wanted === undefined) return undefined;
  return wanted.startsWith('=') ? wanted.slice(1) : valueAt(message, wanted);
};

const isMet = (message: unknown, { path: wanted, is }: z.output<typeof condition>): boolean => {
  const found = valueAt(message, wanted);
  return is.some((one) => String(one) === (typeof found === 'string' ? found.trim() : String(found)));
};

const secondsOrMilliseconds = /^\d{10}(?:\d{3})?$/;

/** A time with an offset, or as computers count; undefined for all else: without a zone, it may be any of a day. */
export const timeIn = (value: unknown): string | undefined => {
  const text = textIn(value);
  if (text === undefined) return undefined;
  if (!secondsOrMilliseconds.test(text)) return instantOf(text);
  return new Date(Number(text) * (text.length === 10 ? 1000 : 1)).toISOString();
};

// what messages without a map call what is no sale, in their type or status
const retracting = /(?:^|[._ -])(?:refund|cancel|void|revers|chargeback|reject|return)/i;
const open = /(?:^|[._ -])(?:pending|created|draft|unpaid|failed|expired|hold|waiting|authorized)$/i;

// which of them may be about an order that was never paid
const cancelling = /(?:^|[._ -])(?:cancel|void|reject)/i;

type Direction = 'sale' | 'retract' | 'cancel' | 'restate' | 'unpaid' | 'nothing';

const retractOf = (words: readonly string[]): Direction =>
  words.some((word) => retracting.test(word) && !cancelling.test(word)) ? 'retract' : 'cancel';

const directionOf = (message: unknown, map: FieldMap | undefined): Direction => {
  const words = ['data.status', 'status', 'type', 'event'].flatMap((one) => textIn(valueAt(message, one)) ?? []);
  const isOpen = words.some((word) => open.test(word));
  if (map === undefined) {
    if (words.some((word) => retracting.test(word))) return retractOf(words);
    return isOpen ? 'unpaid' : 'sale';
  }
  if (map.retractWhen && isMet(message, map.retractWhen)) {
    const word = textIn(valueAt(message, map.retractWhen.path)) ?? '';
    return cancelling.test(word) ? 'cancel' : 'retract';
  }
  if (map.restateWhen && isMet(message, map.restateWhen)) return 'restate';
  if (map.when === undefined || isMet(message, map.when)) return 'sale';
  return isOpen ? 'unpaid' : 'nothing';
};

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

/** An order that is not paid yet, or never. */
export const unpaidOrder = (reference: string | undefined, stateAt?: string): Meaning =>
  reference === undefined
    ? { kind: 'nothing', reason: 'not-paid' }
    : { kind: 'order', order: { reference, isPaid: false, total: '0', left: '0', stateAt, buyer: {} } };

/** What a message means, by the map of its source. */
export const meaningOf = (message: unknown, map: FieldMap | undefined): Meaning => {
  const direction = directionOf(message, map);
  if (direction === 'nothing') return { kind: 'nothing', reason: 'not-used' };
  const at = (field: Field): string | undefined => textIn(valueOf(message, map, field));
  const reference = at('conversionExternalReference');
  // as Standard Webhooks recommend it, `timestamp` is the time of the event, also if it is sent again
  const stateAt = timeIn(at('updatedAt')) ?? timeIn(valueAt(message, 'timestamp'));
  if (direction === 'unpaid') return unpaidOrder(reference, stateAt);
  if (reference === undefined) return wrong('conversionExternalReference: not in the message');
  const isTest = map?.testWhen !== undefined && isMet(message, map.testWhen);
  const occurredAt = timeIn(at('occurredAt'));
  const change = { reference, isTest, stateAt };
  if (direction === 'retract' || direction === 'cancel') {
    const to = { kind: 'retract', isCancellation: direction === 'cancel' } as const;
    return { kind: 'change', change: { ...change, to } };
  }
  const writtenCurrency = at('currency');
  const currency = currencyIn(writtenCurrency);
  if (writtenCurrency !== undefined && currency === undefined) return wrong('currency: not of ISO 4217');
  const amount = writtenDecimal(valueOf(message, map, 'amount'), currency);
  if (amount === undefined) return wrong('amount: no amount, or its decimal mark is unclear');
  if (direction === 'restate') return { kind: 'change', change: { ...change, to: { kind: 'restate', amount } } };
  const netAmount = writtenDecimal(valueOf(message, map, 'netAmount'), currency);
  const more = {
    ...(at('eventId') !== undefined && { eventId: at('eventId') }),
    ...(at('eventName') !== undefined && { eventName: at('eventName') }),
    ...(netAmount !== undefined && { netAmount: Number(netAmount) }),
  };
  const order: SourceOrder = {
    reference,
    isPaid: true,
    total: amount,
    left: amount,
    currency,
    paidAt: occurredAt,
    stateAt,
    isTest,
    leadReference: at('leadReference'),
    landingUrls: [at('landingUrl')],
    buyer: {
      name: at('name'),
      email: at('email'),
      phone: at('phoneNumber'),
      externalReference: at('clientExternalReference'),
    },
    more,
  };
  return { kind: 'order', order };
};
