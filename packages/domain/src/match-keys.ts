import { supportedPlatforms } from './platform-connection.ts';

/**
 * What a platform can match an event by: click ids, contact data, and what the browser showed. Their positions are
 * stored: new ones are added at the end.
 */
export const matchKeys = [
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'ttclid',
  'li_fat_id',
  'msclkid',
  'email',
  'phone',
  'externalId',
  'ipAndUserAgent',
  'fbp',
  'ttp',
] as const;
export type MatchKey = (typeof matchKeys)[number];

/** Some match keys, as bits: what is stored for each delivery. */
export type MatchKeySet = number;

/** The set of the keys that have a value: neither `undefined` nor `false`. */
export const matchKeySet = (carried: Readonly<Partial<Record<MatchKey, unknown>>>): MatchKeySet => {
  let set = 0;
  for (const [place, key] of matchKeys.entries()) {
    const value = carried[key];
    if (value !== undefined && value !== false) set += 2 ** place;
  }
  return set;
};

export const hasMatchKey = (set: MatchKeySet, key: MatchKey): boolean =>
  Math.floor(set / 2 ** matchKeys.indexOf(key)) % 2 === 1;

/** The keys by which a platform matches, its click ids first. */
export const matchKeysOf = (platform: string): readonly MatchKey[] =>
  supportedPlatforms.flatMap(({ name, clickIds, otherKeys }): readonly MatchKey[] =>
    name === platform ? [...clickIds, ...otherKeys] : [],
  );
