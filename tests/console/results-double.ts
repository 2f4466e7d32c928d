import { createHash } from 'node:crypto';
import type { Measures, OverviewInput, OverviewReply, QualityReply } from '../../apps/console/src/contract/results.ts';

const dayMs = 86_400_000;

/** A number from 0 to 1 that is always the same for a text. */
const chance = (text: string): number => {
  const hash = createHash('sha256').update(text).digest();
  return hash.readUInt32BE() / 2 ** 32;
};

const measuresOf = (text: string, size: number): Measures => {
  const leads = Math.round(size * (0.6 + chance(text)));
  const clients = Math.round(leads * (0.3 + 0.2 * chance(`${text} clients`)));
  const conversions = Math.round(clients * (0.4 + 0.3 * chance(`${text} conversions`)));
  return {
    leads,
    clients,
    conversions,
    revenue: [
      { currency: 'ARS', amount: String(conversions * 18_500) },
      { currency: 'USD', amount: (conversions * 42.5).toFixed(2) },
    ],
    refunded: [{ currency: 'USD', amount: (conversions * 1.25).toFixed(2) }],
    deliveries: { delivered: conversions * 2, failed: Math.round(conversions / 20), skipped: 1, pending: 2 },
  };
};

const sumOf = (all: readonly Measures[]): Measures => {
  const sum = (value: (one: Measures) => number) => all.reduce((total, one) => total + value(one), 0);
  const money = (name: 'revenue' | 'refunded', currency: 'USD' | 'ARS') => {
    const amount = sum((one) => Number(one[name].find((found) => found.currency === currency)?.amount ?? 0));
    return amount === 0 ? [] : [{ currency, amount: amount.toFixed(2) }];
  };
  return {
    leads: sum(({ leads }) => leads),
    clients: sum(({ clients }) => clients),
    conversions: sum(({ conversions }) => conversions),
    revenue: [...money('revenue', 'ARS'), ...money('revenue', 'USD')],
    refunded: money('refunded', 'USD'),
    deliveries: {
      delivered: sum(({ deliveries }) => deliveries.delivered),
      failed: sum(({ deliveries }) => deliveries.failed),
      skipped: sum(({ deliveries }) => deliveries.skipped),
      pending: sum(({ deliveries }) => deliveries.pending),
    },
  };
};

const daysBetween = (from: string, to: string): readonly string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, day) =>
    new Date(Date.parse(from) + day * dayMs).toISOString().slice(0, 10),
  );

const names = {
  page: ['black-friday', 'summer-sale', 'loan-calculator', 'newsletter'],
  campaign: [
    '=brand-search-ar',
    'retargeting-2026',
    null,
    'a-campaign-with-a-name-that-does-not-end-before-the-next-line',
  ],
} as const;

/** What the overview replies for any days. */
export const overviewDouble = ({
  from,
  to,
  by = 'day',
  page,
  campaign,
}: Omit<OverviewInput, 'account'>): OverviewReply => {
  const days = daysBetween(from, to);
  const start = new Date(Date.parse(from) - days.length * dayMs).toISOString().slice(0, 10);
  const previousRange = { from: start, to: new Date(Date.parse(from) - dayMs).toISOString().slice(0, 10) };
  const size = page === undefined && campaign === undefined ? 120 : 40;
  const byDay = days.map((key) => ({ key, measures: measuresOf(key, size) }));
  const totals = sumOf(byDay.map(({ measures }) => measures));
  const rows =
    by === 'day'
      ? byDay
      : names[by].map((key, index) => ({ key, measures: measuresOf(`${key}`, (size * days.length) / (index + 2)) }));
  return {
    range: { from, to },
    previousRange,
    totals,
    previous: sumOf(daysBetween(previousRange.from, previousRange.to).map((day) => measuresOf(day, size))),
    platforms: [
      { platform: 'meta', deliveries: totals.deliveries },
      { platform: 'google', deliveries: { delivered: 940, failed: 12, skipped: 210, pending: 4 } },
      { platform: 'tiktok', deliveries: { delivered: 402, failed: 0, skipped: 12, pending: 88 } },
    ],
    rows,
    other: by === 'campaign' ? measuresOf('other', 50) : null,
  };
};

/** Of a shop that sends no phone numbers. */
export const qualityDouble: QualityReply = {
  platforms: [
    {
      platform: 'meta',
      conversions: 4120,
      delivered: 3988,
      skipped: [
        {
          code: 'consent',
          deliveries: 96,
          meaning: 'The visitor did not agree to sharing, or their browser sent Global Privacy Control.',
          remedy: null,
        },
      ],
      failed: [
        {
          code: 'event_too_old',
          deliveries: 36,
          meaning: 'The platform accepts no event older than 7 days.',
          remedy: null,
        },
      ],
      keys: [
        { key: 'fbclid', share: 0.71 },
        { key: 'email', share: 0.93 },
        { key: 'phone', share: 0.04 },
        { key: 'externalId', share: 1 },
        { key: 'ipAndUserAgent', share: 0.98 },
        { key: 'fbp', share: 0.55 },
      ],
      advice: [
        { name: 'phone', affects: 0.96 },
        { name: 'fbp', affects: 0.45 },
        { name: 'email', affects: 0.07 },
        { name: 'consent', affects: 0.023 },
      ],
    },
    {
      platform: 'google',
      conversions: 4120,
      delivered: 4080,
      skipped: [
        {
          code: 'no_match_keys',
          deliveries: 31,
          meaning: 'The platform cannot match the event: there is no click id and no usable contact data.',
          remedy: 'Register clients with their email or phone number; a retry helps once a client has one.',
        },
      ],
      failed: [{ code: 'other', deliveries: 9, meaning: null, remedy: null }],
      keys: [
        { key: 'gclid', share: 0.61 },
        { key: 'gbraid', share: 0.04 },
        { key: 'wbraid', share: 0 },
        { key: 'email', share: 0.93 },
        { key: 'phone', share: 0.04 },
      ],
      advice: [
        { name: 'phone', affects: 0.92 },
        { name: 'click', affects: 0.008 },
      ],
    },
  ],
};
