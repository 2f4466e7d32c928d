import type { Currency } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, fromMinorUnits, plainDecimal } from '../../amounts.ts';
import { readBody, textAt, valueAt } from '../../body.ts';
import {
  defineKind,
  type Meaning,
  type Reading,
  type ReceivedRequest,
  type SigningSecrets,
  type SourceOrder,
  type Verdict,
} from '../../kind.ts';
import { isRecent, isSignedBy, secondsIn } from '../../signature.ts';
import { stripeTexts } from './texts.ts';

const verify = (request: ReceivedRequest, signing: SigningSecrets, nowMs: number): Verdict => {
  const parts = (request.headers['stripe-signature'] ?? '').split(',').map((one) => one.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  if (time === undefined || !isRecent(secondsIn(time), nowMs)) return 'wrong-signature';
  const content = [`${time}.`, request.body];
  const written = parts.filter(([name]) => name === 'v1').slice(0, 10);
  return written.some(([, signature]) => isSignedBy(signing, signature, { encoding: 'hex', content }))
    ? 'genuine'
    : 'wrong-signature';
};

/** Where Stripe's smallest unit is another one than ISO 4217's, by the factor of theirs. */
const ownUnits: Readonly<Record<string, number>> = { ISK: 100, UGX: 100, MGA: 1 };

const amountIn = (value: unknown, currency: Currency): string | undefined => {
  const factor = ownUnits[currency];
  if (factor === undefined) return fromMinorUnits(value, currency);
  const text = plainDecimal(value);
  return text === undefined ? undefined : String(Number(text) / factor);
};

const timeIn = (value: unknown): string | undefined => {
  const text = plainDecimal(value);
  return text === undefined || !/^\d{1,11}$/.test(text) ? undefined : new Date(Number(text) * 1000).toISOString();
};

/** An id, or the object that has it. */
const idAt = (value: unknown, path: string): string | undefined => textAt(value, path) ?? textAt(value, `${path}.id`);

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

interface StripeEvent {
  readonly object: unknown;
  readonly stateAt: string | undefined;
  readonly isTest: boolean;
}

interface Amounts {
  /** In the smallest unit. */
  readonly total: unknown;
  readonly refunded?: unknown;
}

const orderOf = (
  { object, stateAt, isTest }: StripeEvent,
  reference: string | undefined,
  { total: sent, refunded: given }: Amounts,
  more: Partial<SourceOrder>,
): Meaning => {
  const currency = currencyIn(valueAt(object, 'currency'));
  if (reference === undefined) return wrong('id: not in the object');
  if (currency === undefined) return wrong('currency: not of ISO 4217');
  const total = amountIn(sent, currency);
  if (total === undefined) return wrong('amount: no amount');
  const left = given === undefined ? total : amountIn(Number(sent) - Number(given), currency);
  const order: SourceOrder = {
    reference,
    isPaid: true,
    total,
    left: left ?? total,
    currency,
    // its object may be made long before it is paid: a session when the checkout begins
    paidAt: timeIn(valueAt(object, 'status_transitions.paid_at')) ?? stateAt,
    stateAt,
    isTest,
    buyer: {
      name:
        textAt(object, 'customer_details.name') ??
        textAt(object, 'billing_details.name') ??
        textAt(object, 'customer_name'),
      email:
        textAt(object, 'customer_details.email') ??
        textAt(object, 'billing_details.email') ??
        textAt(object, 'receipt_email') ??
        textAt(object, 'customer_email'),
      phone: textAt(object, 'customer_details.phone') ?? textAt(object, 'billing_details.phone'),
      country: textAt(object, 'customer_details.address.country') ?? textAt(object, 'billing_details.address.country'),
    },
    ...more,
  };
  return { kind: 'order', order };
};

const paidStatuses = ['paid', 'no_payment_required'];

/** The payment, or the invoice of a subscription, names the sale: its charge and refunds name them, too. */
const sessionMeaning = (event: StripeEvent): Meaning => {
  const { object } = event;
  if (!paidStatuses.includes(textAt(object, 'payment_status') ?? '')) return { kind: 'nothing', reason: 'not-paid' };
  const reference = idAt(object, 'payment_intent') ?? idAt(object, 'invoice') ?? textAt(object, 'id');
  return orderOf(
    event,
    reference,
    { total: valueAt(object, 'amount_total') },
    {
      leadReference: textAt(object, 'client_reference_id'),
    },
  );
};

const chargeReference = (charge: unknown): string | undefined =>
  idAt(charge, 'invoice') ?? idAt(charge, 'payment_intent') ?? textAt(charge, 'id');

const refundMeaning = ({ object, stateAt, isTest }: StripeEvent): Meaning => {
  const reference = chargeReference(object);
  const currency = currencyIn(valueAt(object, 'currency'));
  if (reference === undefined) return wrong('payment_intent: not in the charge');
  if (currency === undefined) return wrong('currency: not of ISO 4217');
  const captured = Number(valueAt(object, 'amount_captured') ?? valueAt(object, 'amount'));
  const amount = amountIn(captured - Number(valueAt(object, 'amount_refunded')), currency);
  if (amount === undefined) return wrong('amount_refunded: no amount');
  const to = Number(amount) <= 0 ? ({ kind: 'retract' } as const) : ({ kind: 'restate', amount } as const);
  return { kind: 'change', change: { reference, isTest, stateAt, changedAt: stateAt, to } };
};

/** A customer's bank has taken the money back for good: all of it, or a part. */
const disputeMeaning = ({ object, stateAt, isTest }: StripeEvent): Meaning => {
  if (textAt(object, 'status') !== 'lost') return { kind: 'nothing', reason: 'not-used' };
  const [id, reference] = [textAt(object, 'id'), idAt(object, 'payment_intent') ?? idAt(object, 'charge')];
  const currency = currencyIn(valueAt(object, 'currency'));
  const amount = currency && amountIn(valueAt(object, 'amount'), currency);
  if (reference === undefined) return wrong('payment_intent: not in the dispute');
  if (id === undefined || amount === undefined) return wrong('amount: no amount of a currency of ISO 4217');
  const change = { reference, currency, isTest, stateAt, changedAt: stateAt };
  return { kind: 'change', change: { ...change, to: { kind: 'less', amount, id } } };
};

/** A bank did not take a refund: of the charge, which then has less refunded, it has no more than the id. */
const failedRefundMeaning = ({ object }: StripeEvent): Meaning => ({
  kind: 'nothing',
  reason: textAt(object, 'status') === 'failed' ? 'refund-failed' : 'not-used',
});

const nothingPaid: Meaning = { kind: 'nothing', reason: 'not-paid' };

const meaningOf = (type: string, event: StripeEvent): Meaning => {
  const { object } = event;
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return sessionMeaning(event);
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
    case 'payment_intent.canceled':
      return nothingPaid;
    case 'payment_intent.succeeded': {
      if (idAt(object, 'invoice') !== undefined) return { kind: 'nothing', reason: 'not-used' };
      const total = valueAt(object, 'amount_received') ?? valueAt(object, 'amount');
      return orderOf(event, textAt(object, 'id'), { total }, { mayGetClick: true });
    }
    case 'charge.succeeded':
    case 'charge.captured': {
      if (valueAt(object, 'captured') === false) return nothingPaid;
      const total = valueAt(object, 'amount_captured') ?? valueAt(object, 'amount');
      const refunded = valueAt(object, 'amount_refunded');
      return orderOf(event, chargeReference(object), { total, refunded }, { mayGetClick: true });
    }
    case 'invoice.paid':
      if (!(Number(valueAt(object, 'amount_paid')) > 0)) return nothingPaid;
      return orderOf(event, textAt(object, 'id'), { total: valueAt(object, 'amount_paid') }, { mayGetClick: true });
    case 'charge.refunded':
      return refundMeaning(event);
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated':
      return failedRefundMeaning(event);
    case 'charge.dispute.closed':
      return disputeMeaning(event);
    default:
      return { kind: 'nothing', reason: 'not-used' };
  }
};

const read = (request: ReceivedRequest): Reading => {
  const message = readBody(request);
  const event = textAt(message, 'type') ?? 'message';
  const key = textAt(message, 'id');
  if (textAt(message, 'object') === 'v2.core.event') {
    const text = 'a thin event; choose events with a snapshot of the object';
    return { event, key, means: { kind: 'nothing', reason: 'unreadable', message: text }, searched: message };
  }
  const object = valueAt(message, 'data.object');
  const stateAt = timeIn(valueAt(message, 'created'));
  const means = meaningOf(event, { object, stateAt, isTest: valueAt(message, 'livemode') === false });
  return { event, key, means, searched: object };
};

const expectedSecret = 'expected the signing secret of the endpoint, which begins with whsec_';

/** Payments of a Stripe account, by an endpoint that its owner adds. */
export const stripe = defineKind({
  name: 'stripe',
  title: 'Stripe',
  texts: stripeTexts,
  settings: z.object({}),
  secrets: z.object({
    secret: z
      .string(expectedSecret)
      .trim()
      .startsWith('whsec_', expectedSecret)
      // it is shown once its URL is known there: until then nothing is genuine, and is sent again later
      .optional()
      .meta({ help: 'signing secret of the endpoint (whsec_…)', value: 'secret', isSecret: true }),
  }),
  methods: ['POST'],
  open: (_settings, _secrets, signing) => ({
    verify: (request, nowMs) => verify(request, signing, nowMs),
    read,
  }),
});
