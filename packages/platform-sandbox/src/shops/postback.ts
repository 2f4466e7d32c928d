import { z } from 'zod';
import { majorUnits, type Order, randomLetters, remainderOf, serviceIdOf, wordOf as ownWordOf } from './order.ts';
import { type Change, commonSettings, type ShopKind } from './shop.ts';

const template = 'ref={subid}&order={txid}&amount={payout}&currency={currency}&status={status}';

const settingsSchema = z.strictObject({
  ...commonSettings,
  /** Its placeholders are filled. Without a query, it gets one that fits the postback of a source. */
  url: z
    .string()
    .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'expected a URL')
    .transform((url) => (url.includes('?') ? url : `${url}?${template}`)),
});
type Settings = z.infer<typeof settingsSchema>;

/** The words of a network for what happened. */
const words: Readonly<Record<Change, string>> = {
  created: 'pending',
  paid: 'approved',
  failed: 'rejected',
  refunded: 'reversed',
  cancelled: 'cancelled',
};

const moreWords = {
  lead: 'pending',
  hold: 'pending',
  sale: 'paid',
  approved: 'paid',
  confirmed: 'paid',
  rejected: 'failed',
  reversed: 'failed',
} as const;

const wordOf = (change: Change, order: Order): string => {
  // the network corrects the amount of what stays approved
  if (change === 'refunded' && remainderOf(order) > 0) return words.paid;
  if (change === 'refunded' || change === 'cancelled') return words[change];
  return ownWordOf(order, moreWords) ?? words[change];
};

const clickIds = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'ttclid', 'msclkid', 'li_fat_id'];

const clickIdOf = (landingUrl: string | undefined): string => {
  const parameters = landingUrl === undefined ? undefined : new URL(landingUrl).searchParams;
  return clickIds.map((name) => parameters?.get(name) ?? '').find((value) => value !== '') ?? '';
};

const valuesOf = (word: string, order: Order): Readonly<Record<string, string>> => ({
  subid: order.leadReference ?? serviceIdOf(order.landingUrl) ?? '',
  clickid: clickIdOf(order.landingUrl),
  txid: order.id,
  payout: majorUnits(remainderOf(order), order.currency),
  currency: order.currency,
  status: word,
  email: order.email ?? '',
});

/** An affiliate network that calls a URL for each conversion. It signs nothing, and never calls again. */
export const postback: ShopKind<Settings> = {
  name: 'postback',
  settings: settingsSchema,
  newId: () => randomLetters(16).toLowerCase(),
  newRefundId: () => randomLetters(16).toLowerCase(),
  marksTests: false,
  words: moreWords,
  tell: (change, order) => {
    const word = wordOf(change, order);
    const values = valuesOf(word, order);
    return [
      {
        topic: word,
        request: ({ url }) => ({
          method: 'GET',
          // a placeholder that the network does not know stays as it is
          url: url.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
            values[name] === undefined ? encodeURIComponent(placeholder) : encodeURIComponent(values[name]),
          ),
          headers: { 'user-agent': 'InventedNetwork/2.0', accept: '*/*' },
          body: '',
        }),
      },
    ];
  },
  retryAfterMinutes: [],
  timeoutMs: 15_000,
  isTaken: (status) => status >= 200 && status < 300,
};
