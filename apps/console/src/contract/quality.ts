import { daySchema, matchKeys, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { accountId } from './account-path.ts';

export const qualityDaysMax = 400;

const dayMs = 86_400_000;

/** `GET /api/accounts/:account/quality?from=2026-11-01&to=2026-11-22`: days in UTC on which conversions occurred. */
export const qualityInput = z
  .object({ account: accountId, from: daySchema, to: daySchema })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'expected a day that is not before from' })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / dayMs < qualityDaysMax, {
    path: ['from'],
    error: `expected at most ${qualityDaysMax} days`,
  });

/** What a partner can change. Its texts are in the web application. */
export const adviceNames = [
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
    /** What it means, and what helps; null if only the platform's words say. */
    meaning: z.string().nullable(),
    remedy: z.string().nullable(),
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

export type QualityReply = z.output<typeof qualityReply>;
export type PlatformQuality = QualityReply['platforms'][number];
