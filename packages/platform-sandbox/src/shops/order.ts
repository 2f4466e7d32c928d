import { randomInt } from 'node:crypto';
import { z } from 'zod';

/** How far an order is, in all shops. */
export type Standing = 'pending' | 'paid' | 'failed' | 'cancelled';

interface Refund {
  readonly id: string;
  /** In the currency's minor units. */
  readonly amount: number;
  readonly atMs: number;
}

/** An order of a simulated shop; each kind writes it in its own form. */
export interface Order {
  /** As the shop counts it. */
  readonly id: string;
  /** What the shop owner sees. */
  readonly number: number;
  readonly standing: Standing;
  /** The shop's own word for the standing, where another than the usual one was asked for. */
  readonly word?: string | undefined;
  readonly currency: string;
  /** In the currency's minor units, before refunds. */
  readonly total: number;
  readonly refunds: readonly Refund[];
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly landingUrl?: string | undefined;
  readonly leadReference?: string | undefined;
  readonly isTest: boolean;
  readonly createdAtMs: number;
  readonly paidAtMs?: number | undefined;
  readonly cancelledAtMs?: number | undefined;
  readonly updatedAtMs: number;
}

/** The shop's own word that was asked for, as long as the order stands as the word says. */
export const wordOf = ({ word, standing }: Order, words: Readonly<Record<string, Standing>>): string | undefined =>
  word !== undefined && words[word] === standing ? word : undefined;

const knownDecimals = new Map<string, number>();

/** How many decimals a currency has. */
export const decimalsOf = (currency: string): number => {
  const known = knownDecimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const decimals = format.maximumFractionDigits ?? 2;
  knownDecimals.set(currency, decimals);
  return decimals;
};

/** As in `15400.50`. */
export const majorUnits = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency);
  return (minor / 10 ** decimals).toFixed(decimals);
};

export const refundedOf = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** What is left of it after its refunds. */
export const remainderOf = (order: Order): number => order.total - refundedOf(order);

const decimal = z
  .union([z.number().min(0), z.string().regex(/^\d+(?:\.\d+)?$/)], 'expected an amount, as in 15400.50')
  .transform(Number)
  .refine((amount) => amount <= 9_999_999_999.99, 'expected an amount, as in 15400.50');

/** Throws a ZodError if the currency has fewer decimals. */
export const minorUnits = (amount: number, currency: string): number => {
  const scaled = amount * 10 ** decimalsOf(currency);
  const minor = Math.round(scaled);
  if (Math.abs(scaled - minor) < 1e-4) return minor;
  const message = `${currency} has ${decimalsOf(currency)} decimals`;
  throw new z.ZodError([{ code: 'custom', path: ['amount'], message, input: amount }]);
};

/** The body of `POST {shop}/orders`. */
export const orderInputSchema = z.strictObject({
  landingUrl: z.url().optional(),
  leadReference: z.string().min(1).optional(),
  amount: decimal,
  currency: z
    .string()
    .regex(/^[a-z]{3}$/i, 'expected three letters, as in ARS')
    .toUpperCase(),
  email: z.string().min(1).optional(),
  phone: z.string().min(1).optional(),
  // a number of more digits would lose some: it is sent as text
  id: z.union([z.int().min(0).transform(String), z.string().min(1)]).optional(),
  status: z.string().min(1).optional(),
  isTest: z.boolean().default(false),
});
export type OrderInput = z.infer<typeof orderInputSchema>;

/** The body of `POST {shop}/orders/{id}/refund`. Without an amount: all that is left. */
export const refundInputSchema = z.strictObject({ amount: decimal.optional() });

/** So many digits, of which the first is not 0. */
export const randomDigits = (count: number): string =>
  Array.from({ length: count }, (_, place) => randomInt(place === 0 ? 1 : 0, 10)).join('');

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('');

/** What the shops know of the invented person who buys; email and phone number are the order's. */
export const buyer = {
  firstName: 'Ana',
  lastName: 'Prueba Núñez',
  street: 'Av. Corrientes 1234',
  city: 'Buenos Aires',
  postcode: 'C1043AAZ',
  ip: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
} as const;

export const shopSite = 'https://mate.example';

/** The lead reference that a landing page of Leadback added to the URL. */
export const serviceIdOf = (landingUrl: string | undefined): string | undefined =>
  (landingUrl === undefined ? null : URL.parse(landingUrl))?.searchParams.get('serviceId') ?? undefined;

const offsetText = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;

/** As in `2026-11-20T11:01:55`, so many minutes from UTC. */
export const localTime = (ms: number, offsetMinutes = 0): string =>
  new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19);

/** As in `2026-11-20T11:01:55-03:00`. */
export const zonedTime = (ms: number, offsetMinutes: number): string =>
  localTime(ms, offsetMinutes) + offsetText(offsetMinutes);
