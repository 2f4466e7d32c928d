import { textAt, textIn, valueAt } from './body.ts';
import type { Meaning } from './kind.ts';

/** The numbers of orders by which a person is found; they name nobody. */
const ordersAt = (message: unknown, path: string): { message: string } | object => {
  const list: unknown = valueAt(message, path);
  const ids: readonly unknown[] = Array.isArray(list) ? list : [];
  const orders = ids.flatMap((id) => textIn(id) ?? []).join(', ');
  return orders === '' ? {} : { message: `orders: ${orders}`.slice(0, 200) };
};

/** A customer of a shop has asked it to be forgotten. */
export const redactMeaning = (message: unknown): Meaning => {
  const email = textAt(message, 'customer.email');
  if (email !== undefined) return { kind: 'erase', emails: [email] };
  return { kind: 'nothing', reason: 'erase-by-hand', ...ordersAt(message, 'orders_to_redact') };
};

/** A customer of a shop has asked it what it keeps. */
export const dataRequestMeaning = (message: unknown): Meaning => ({
  kind: 'nothing',
  reason: 'data-asked',
  ...ordersAt(message, 'orders_requested'),
});

/** The app was removed from the shop, some days ago. */
export const shopRedactMeaning: Meaning = { kind: 'erase', emails: [], all: true };
