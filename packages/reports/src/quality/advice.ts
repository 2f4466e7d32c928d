import {
  consentWithdrawn,
  eventTooOld,
  hasMatchKey,
  type MatchKey,
  type MatchKeySet,
  matchKeysOf,
  type PlatformName,
} from '@leadback/domain';
import { type AdviceName, adviceTexts } from './advice-texts.ts';

/** Closed deliveries that ended alike. */
export interface QualityCount {
  readonly state: 'delivered' | 'failed' | 'skipped';
  /** A code; empty if delivered. */
  readonly reason: string;
  /** Null: no event was built, or it was closed before keys were counted. */
  readonly keys: MatchKeySet | null;
  readonly deliveries: number;
}

/** Whether it is known by which keys the platform could match them: what is skipped carries none. */
export const hasKnownKeys = ({ state, keys }: QualityCount): boolean => keys !== null || state === 'skipped';

export interface Advice {
  readonly name: AdviceName;
  readonly action: string;
  /** The share of conversions that it would help, 0 to 1, of those whose keys are known. */
  readonly affects: number;
}

/** The reason of a delivery for which there was nothing to match by. */
const noMatchKeys = 'no_match_keys';

// Google's ids of a click by many people: contact data is not sent beside them
const aggregateKeys: readonly MatchKey[] = ['gbraid', 'wbraid'];

const advisable = [
  'email',
  'phone',
  'externalId',
  'ipAndUserAgent',
  'fbp',
  'ttp',
] as const satisfies readonly MatchKey[];

/** Which advice would have helped a delivery that ended so. */
const adviceFor = (platform: PlatformName, { reason, keys }: QualityCount): readonly AdviceName[] => {
  if (reason === consentWithdrawn) return []; // nobody but the visitor may change it
  if (reason === 'consent') return ['consent'];
  if (reason === eventTooOld) return ['time'];
  if (keys === null && reason !== noMatchKeys) return [];
  const carried = keys ?? 0;
  if (aggregateKeys.some((key) => hasMatchKey(carried, key))) return [];
  const taken = matchKeysOf(platform);
  const missing = advisable.filter((key) => taken.includes(key) && !hasMatchKey(carried, key));
  return reason === noMatchKeys ? ['click', ...missing] : missing;
};

const names: readonly string[] = Object.keys(adviceTexts);
const places = (share: number) => Math.round(share * 10_000) / 10_000;

/** The advice for a platform, that which helps most conversions first. */
export const adviceOf = (platform: PlatformName, counts: readonly QualityCount[]): Advice[] => {
  const helped = new Map<AdviceName, number>();
  let conversions = 0;
  for (const count of counts.filter(hasKnownKeys)) {
    conversions += count.deliveries;
    for (const name of adviceFor(platform, count)) helped.set(name, (helped.get(name) ?? 0) + count.deliveries);
  }
  return [...helped]
    .toSorted(([one, few], [other, many]) => many - few || names.indexOf(one) - names.indexOf(other))
    .map(([name, deliveries]) => ({ name, action: adviceTexts[name], affects: places(deliveries / conversions) }));
};
