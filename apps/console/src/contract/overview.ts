import { daySchema, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { accountId } from './account-path.ts';
import { money } from './money.ts';

export const overviewDimensions = ['day', 'page', 'campaign'] as const;

/** Rows by page and campaign beyond these are summed up as `other`. */
export const overviewRowsMax = 100;
export const overviewDaysMax = 400;

const dayMs = 86_400_000;

/** `GET /api/accounts/:account/overview?from=2026-11-01&to=2026-11-22&by=day&page=…&campaign=…` */
export const overviewInput = z
  .object({
    account: accountId,
    /** Days in UTC, both inclusive. */
    from: daySchema,
    to: daySchema,
    by: z.enum(overviewDimensions).default('day'),
    /** Only this page, by its slug, and only this campaign; an empty text: clicks without one. */
    page: z.string().max(200).optional(),
    campaign: z.string().max(1_000).optional(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'expected a day that is not before from' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / dayMs < overviewDaysMax, {
    path: ['from'],
    error: `expected at most ${overviewDaysMax} days`,
  });

const deliveryCounts = z.object({
  delivered: z.number(),
  failed: z.number(),
  skipped: z.number(),
  pending: z.number(),
});

const measures = z.object({
  leads: z.number(),
  clients: z.number(),
  conversions: z.number(),
  /** After adjustments; only currencies with revenue. */
  revenue: z.array(money),
  refunded: z.array(money),
  deliveries: deliveryCounts,
});

const range = z.object({ from: z.string(), to: z.string() });

export const overviewReply = z.object({
  range,
  /** The same number of days before. */
  previousRange: range,
  totals: measures,
  previous: measures,
  /** All platforms with deliveries in the range. */
  platforms: z.array(z.object({ platform: z.enum(platformNames), deliveries: deliveryCounts })),
  /**
   * By day: each day of the range, oldest first. By page and campaign: the 100 with most conversions first; `key` is the
   * slug or the campaign, null for clicks without a campaign.
   */
  rows: z.array(z.object({ key: z.string().nullable(), measures })),
  /** What the rows leave out; null if nothing. */
  other: measures.nullable(),
});

export type OverviewInput = z.input<typeof overviewInput>;
export type OverviewReply = z.output<typeof overviewReply>;
export type Measures = z.output<typeof measures>;
export type DeliveryCounts = z.output<typeof deliveryCounts>;
