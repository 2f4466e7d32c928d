import { connectionStates, daySchema, matchKeys, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { money } from './values.ts';

const clickDimensions = ['platform', 'source', 'medium', 'campaign', 'term', 'content'] as const;
const overviewDimensions = ['day', 'page', ...clickDimensions] as const;

const daysMax = 400;

const dayMs = 86_400_000;

/** `GET /api/accounts/:account/quality?from=2026-11-01&to=2026-11-22`: days of the account, both inclusive, on which conversions occurred. */
export const rangeInput = z
  .object({ from: daySchema, to: daySchema })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'expected a day that is not before from' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / dayMs < daysMax, {
    path: ['from'],
    error: `expected at most ${daysMax} days`,
  });

const said = z.string().max(1_000).optional();

/** `GET /api/accounts/:account/overview?from=2026-11-01&to=2026-11-22&by=day&page=…&campaign=…` */
export const overviewInput = rangeInput.safeExtend({
  by: z.enum(overviewDimensions).default('day'),
  /** Only this page, by its slug. */
  page: z.string().max(200).optional(),
  /** Only clicks that say this; an empty text: that do not say it. */
  platform: said,
  source: said,
  medium: said,
  campaign: said,
  term: said,
  content: said,
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
  /** In which the days begin. */
  timeZone: z.string(),
  range,
  /** The same number of days before. */
  previousRange: range,
  totals: measures,
  previous: measures,
  /** All connections with deliveries in the range, also those that were deleted since. */
  connections: z.array(
    z.object({
      id: z.number(),
      platform: z.enum(platformNames),
      label: z.string(),
      destination: z.string(),
      isDeleted: z.boolean(),
      deliveries: deliveryCounts,
    }),
  ),
  /**
   * By day: each day of the range, oldest first. Otherwise the 100 with most conversions first; `key` is the
   * slug, or what clicks say, null for those that do not say it.
   */
  rows: z.array(z.object({ key: z.string().nullable(), measures })),
  /** What the rows leave out; null if nothing. */
  other: measures.nullable(),
});

export type OverviewInput = z.input<typeof overviewInput>;
export type OverviewReply = z.output<typeof overviewReply>;
export type Measures = z.output<typeof measures>;
export type DeliveryCounts = z.output<typeof deliveryCounts>;

/** `GET /api/accounts/:account/first-steps`: what is there already of the way to the first live sale. */
export const firstStepsReply = z.object({
  /** One that is on, if there is one. */
  page: z.object({ id: z.number(), url: z.string(), isOn: z.boolean() }).nullable(),
  /** To a platform; one that is active, if there is one. */
  connection: z.object({ id: z.number(), state: z.enum(connectionStates) }).nullable(),
  hasClick: z.boolean(),
  /** Keys that are valid. */
  hasTestKey: z.boolean(),
  hasTestSale: z.boolean(),
  hasLiveKey: z.boolean(),
  hasLiveSale: z.boolean(),
});
export type FirstStepsReply = z.output<typeof firstStepsReply>;

/** What a partner can change. Its texts are in the web application. */
const adviceNames = [
  'email',
  'phone',
  'externalId',
  'click',
  'ipAndUserAgent',
  'fbp',
  'ttp',
  'consent',
  'time',
] as const;

const reasons = z.array(
  z.object({
    /** A code, or `other`. */
    code: z.string(),
    deliveries: z.number(),
  }),
);

export const qualityReply = z.object({
  /** Those with closed deliveries of live conversions; one conversion counts once for each connection. */
  platforms: z.array(
    z.object({
      platform: z.enum(platformNames),
      conversions: z.number(),
      delivered: z.number(),
      /** Most deliveries first. */
      skipped: reasons,
      failed: reasons,
      /** The share of the conversions that carried the key, 0 to 1; empty if this is known of none. */
      keys: z.array(z.object({ key: z.enum(matchKeys), share: z.number() })),
      /** What helps most conversions first. */
      advice: z.array(z.object({ name: z.enum(adviceNames), affects: z.number() })),
    }),
  ),
});

const funnelSteps = ['registered', 'eligible', 'sent', 'accepted', 'processed'] as const;

const funnelCount = z.object({ conversions: z.number(), money: z.array(money) });
/** Conversions that did not reach a step. `reason`: a code, or `other`. */
const funnelLoss = funnelCount.extend({ step: z.enum(funnelSteps), reason: z.string() });
const funnel = z.object({
  registered: funnelCount,
  eligible: funnelCount,
  sent: funnelCount,
  accepted: funnelCount,
  /** Null: the platform does not report it. */
  processed: funnelCount.nullable(),
  /** Step by step, most conversions first. */
  losses: z.array(funnelLoss),
});

/** `GET /api/accounts/:account/funnels?from=2026-11-01&to=2026-11-22`: as `quality`, of the newest 92 of the days. */
export const funnelsReply = z.object({
  /** The first day that is counted. */
  from: z.string(),
  /** All connections to platforms. One conversion counts once for each. */
  connections: z.array(
    z.object({
      connectionId: z.number(),
      platform: z.enum(platformNames),
      /** What the connection is called, and where it leads. */
      label: z.string(),
      destination: z.string(),
      isConnectionDeleted: z.boolean(),
      connectionState: z.enum(connectionStates),
      /** Whether more deliveries wait than are counted. */
      isPartial: z.boolean(),
      total: funnel,
      /** With conversions, newest first. */
      days: z.array(funnel.extend({ day: z.string() })),
    }),
  ),
});

export type FunnelsReply = z.output<typeof funnelsReply>;
export type ShownFunnel = FunnelsReply['connections'][number];
export type ShownFunnelStep = (typeof funnelSteps)[number];

export type QualityReply = z.output<typeof qualityReply>;
export type PlatformQuality = QualityReply['platforms'][number];
