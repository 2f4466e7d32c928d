import { instantOf } from '@leadback/domain';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { textAt, valueAt } from '../../body.ts';
import type { Meaning } from '../../kind.ts';

/** An order of the newer API; others have numbers. */
export const isOrderId = (id: string): boolean => /^ORD[0-9A-Z]{1,60}$/i.test(id);

/** The order names the country of the seller, and not the currency; of two or three letters. */
const currencyOf: Readonly<Record<string, string>> = {
  AR: 'ARS',
  ARG: 'ARS',
  BR: 'BRL',
  BRA: 'BRL',
  CL: 'CLP',
  CHL: 'CLP',
  CO: 'COP',
  COL: 'COP',
  MX: 'MXN',
  MEX: 'MXN',
  PE: 'PEN',
  PER: 'PEN',
  UY: 'UYU',
  URY: 'UYU',
};

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

// its money was there, also if it was given back
const paid = ['processed', 'refunded', 'charged_back'];
const ended = ['refunded', 'charged_back'];
const undone = ['failed', 'rejected', 'canceled', 'cancelled'];

const listAt = (order: unknown, path: string): readonly unknown[] => {
  const list = valueAt(order, path);
  return Array.isArray(list) ? list : [];
};

const refundsOf = (order: unknown): string[] =>
  listAt(order, 'transactions.refunds')
    .filter((refund) => !undone.includes(textAt(refund, 'status') ?? ''))
    .flatMap((refund) => plainDecimal(valueAt(refund, 'amount')) ?? []);

/** What an order of the newer API says; its payments are in it. */
export const orderMeaning = (order: unknown, isTest: boolean): Meaning => {
  const [reference, status = ''] = [textAt(order, 'id'), textAt(order, 'status')];
  const total = plainDecimal(valueAt(order, 'total_amount'));
  const country = textAt(order, 'country_code')?.toUpperCase() ?? '';
  const currency = currencyIn(valueAt(order, 'currency') ?? currencyOf[country]);
  if (reference === undefined) return wrong('id: not in the order');
  if (total === undefined) return wrong('total_amount: no amount');
  if (currency === undefined) return wrong('country_code: not of a country of Mercado Pago');
  const name = [textAt(order, 'payer.first_name'), textAt(order, 'payer.last_name')].filter(Boolean).join(' ');
  const phone = [textAt(order, 'payer.phone.area_code'), textAt(order, 'payer.phone.number')].filter(Boolean).join(' ');
  const stateAt = instantOf(textAt(order, 'last_updated_date') ?? '');
  return {
    kind: 'order',
    order: {
      reference,
      isPaid: paid.includes(status),
      total,
      left: ended.includes(status) ? '0' : lessRefunds(total, refundsOf(order), currency),
      currency,
      paidAt: instantOf(textAt(order, 'created_date') ?? '') ?? stateAt,
      stateAt,
      isTest,
      buyer: { name: name || undefined, email: textAt(order, 'payer.email'), phone: phone || undefined },
    },
  };
};
