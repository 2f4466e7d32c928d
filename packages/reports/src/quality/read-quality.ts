import {
  type AccountMode,
  hasMatchKey,
  type MatchKey,
  matchKeysOf,
  type PlatformName,
  platformNames,
} from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { type Advice, adviceOf, hasKnownKeys, type QualityCount } from './advice.ts';

/** The delivery outcomes of an account's conversions at a platform, once for each connection. */
export interface PlatformQuality {
  readonly platform: PlatformName;
  /** Whose delivery is closed. */
  readonly conversions: number;
  readonly delivered: number;
  /** How many by reason: a code, or `other`. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  /**
   * The share of the conversions that carried the key, 0 to 1: each that the platform matches by. Of the conversions whose
   * keys are known; empty if there are none.
   */
  readonly keys: Readonly<Partial<Record<MatchKey, number>>>;
  /** What helps most conversions comes first. */
  readonly advice: Advice[];
}

interface Row {
  platform: string;
  state: QualityCount['state'];
  reason: string;
  match_keys: number;
  deliveries: number;
}

const read = preparedStatement<Row>(
  'read-quality',
  `select platform, state, reason, match_keys, sum(deliveries)::bigint as deliveries
   from (
     select platform, state, reason, match_keys, deliveries from quality_day
     where account_id = $1 and day between $2::date and $3::date
     union all
     select platform, state, reason, match_keys, change from quality_change
     where account_id = $1 and day between $2::date and $3::date
   ) counted
   group by 1, 2, 3, 4 having sum(deliveries) > 0`,
);

const sum = (counts: readonly QualityCount[]) => counts.reduce((total, { deliveries }) => total + deliveries, 0);
const places = (share: number) => Math.round(share * 10_000) / 10_000;

const reasonsMax = 20;

/** The most frequent reasons; the others together. */
const byReason = (counts: readonly QualityCount[]): Record<string, number> => {
  const totals = [...Map.groupBy(counts, ({ reason }) => reason)]
    .map(([reason, alike]) => [reason, sum(alike)] as const)
    .toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other));
  const named = totals.filter(([reason]) => reason !== 'other').slice(0, reasonsMax);
  const others = sum(counts) - named.reduce((total, [, count]) => total + count, 0);
  return { ...Object.fromEntries(named), ...(others > 0 && { other: others }) };
};

const qualityOf = (platform: PlatformName, counts: readonly QualityCount[]): PlatformQuality => {
  const conversions = sum(counts);
  const inState = (wanted: QualityCount['state']) => counts.filter(({ state }) => state === wanted);
  const known = counts.filter(hasKnownKeys);
  const carrying = (key: MatchKey) => known.filter(({ keys }) => keys !== null && hasMatchKey(keys, key));
  const shareOf = (key: MatchKey) => [key, places(sum(carrying(key)) / sum(known))] as const;
  return {
    platform,
    conversions,
    delivered: sum(inState('delivered')),
    skipped: byReason(inState('skipped')),
    failed: byReason(inState('failed')),
    keys: known.length === 0 ? {} : Object.fromEntries(matchKeysOf(platform).map(shareOf)),
    advice: adviceOf(platform, counts),
  };
};

/** `from` and `to`: the days (UTC) of the conversions, both inclusive, `YYYY-MM-DD`. */
export type QualityReader = (
  mode: AccountMode,
  range: { readonly from: string; readonly to: string },
) => Promise<PlatformQuality[]>;

/**
 * Returns a function that reads the quality of an account's platforms: those with closed deliveries. Exact at once:
 * changes that are not rolled up yet are included. Tests are not counted.
 */
export const qualityReader =
  (pool: Pool): QualityReader =>
  async ({ accountId, isTest }, { from, to }) => {
    const rows = isTest ? [] : await read(pool, [accountId, from, to]);
    const counts = Map.groupBy(rows, ({ platform }) => platform);
    return platformNames.flatMap((platform) => {
      const own = counts.get(platform) ?? [];
      const alike = own.map(({ match_keys: keys, ...count }) => ({ ...count, keys: keys < 0 ? null : keys }));
      return alike.length === 0 ? [] : [qualityOf(platform, alike)];
    });
  };
