import {
  type AccountMode,
  type FeedbackState,
  feedbackStates,
  type PlatformName,
  platformNames,
} from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { findAll, findByState, findUndelivered, type ListedRow } from './find-listed.ts';
import { type ConversionRecord, type ConversionRow, conversionRowsFrom, conversionsOf } from './read-conversion.ts';

/** A place in the list. */
export interface ListPosition {
  /** In ISO 8601 with microseconds. */
  readonly occurredAt: string;
  readonly id: number;
}

export interface ConversionFilter {
  /** When they occurred: from here on, before `until`; in ISO 8601 with microseconds. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** With both, one delivery must match both. */
  readonly platform?: PlatformName | undefined;
  readonly state?: FeedbackState | undefined;
  /** Where the page before ended. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
}

export interface ConversionPage {
  /** May be fewer than the limit although there are more. */
  readonly items: readonly ConversionRecord[];
  /** Where the page ends; undefined if there are no more. */
  readonly next: ListPosition | undefined;
}

const isUndelivered = (state: FeedbackState | undefined) => state === 'failed' || state === 'skipped';

/** Where a page begins: after the page before, and never behind the end of the range. */
const beginOf = ({ after, until = 'infinity' }: ConversionFilter): ListPosition =>
  after !== undefined && after.occurredAt < until ? after : { occurredAt: until, id: 0 };

const find = (pool: Pool, mode: AccountMode, filter: ConversionFilter, readMax: number): Promise<ListedRow[]> => {
  const { from = '-infinity', platform, state, limit } = filter;
  const begin = beginOf(filter);
  // one more than the page has tells whether there are more
  const range = [mode.accountId, mode.isTest, from, begin.occurredAt, begin.id, limit + 1];
  if (platform === undefined && state === undefined) return findAll(pool, range);
  const platforms = platform === undefined ? platformNames : [platform];
  if (isUndelivered(state)) return findUndelivered(pool, [...range, platforms, [state]]);
  return findByState(pool, [...range, platforms, state === undefined ? feedbackStates : [state], readMax]);
};

/**
 * Newest first. The times have the same form, so that texts compare as times do. Of one conversion, a match comes before
 * the end of another search.
 */
const inOrder = (one: ListedRow, other: ListedRow) => {
  if (one.occurred_at !== other.occurred_at) return one.occurred_at < other.occurred_at ? 1 : -1;
  return other.id - one.id || Number(other.is_match) - Number(one.is_match);
};

/** The conversions of a page, and where it ends. */
const pageOf = (rows: readonly ListedRow[], limit: number) => {
  const sorted = rows.toSorted(inOrder);
  // what is older than the first end of a search may be incomplete
  const endAt = sorted.findIndex(({ is_end: isEnd }) => isEnd);
  const complete = endAt === -1 ? sorted : sorted.slice(0, endAt + 1);
  const matches = complete.filter(({ is_match: isMatch }) => isMatch);
  const ids = [...new Set(matches.map(({ id }) => id))];
  const page = new Set(ids.slice(0, limit));
  const end = ids.length > limit ? matches.findLast(({ id }) => page.has(id)) : sorted[endAt];
  return { ids: [...page], next: end && { occurredAt: end.occurred_at, id: end.id } };
};

const readAll = preparedStatement<ConversionRow>(
  'read-conversions',
  `${conversionRowsFrom(
    `unnest($3::bigint[]) with ordinality listed (id, place)
     cross join lateral (
       select * from conversion where id = listed.id and account_id + 0 = $1 and is_test = $2 limit 1) v`,
  )} order by listed.place, connection.id`,
);

/** Returns a page of an account's conversions, newest first: by when they occurred, then by id. */
export type ConversionLister = (mode: AccountMode, filter: ConversionFilter) => Promise<ConversionPage>;

/** `readMax`: how many deliveries a search by state may read for a page. Default: what takes some 5 ms. */
export const conversionLister =
  (pool: Pool, { readMax = 2_500 } = {}): ConversionLister =>
  async (mode, filter) => {
    const { ids, next } = pageOf(await find(pool, mode, filter, readMax), filter.limit);
    const rows = ids.length === 0 ? [] : await readAll(pool, [mode.accountId, mode.isTest, ids]);
    return { items: await conversionsOf(pool, mode, rows), next };
  };
