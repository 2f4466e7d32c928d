import { type Queryable, statement } from '@leadback/db';
import { isDay, Refusal } from '@leadback/domain';
import { ActionRefused } from '../people/access.ts';

/** SQL: the time zone of an account, which says when its days begin. */
export const zoneOf = (accountId: string): string => `(select time_zone from account where id = ${accountId})`;

interface Today {
  /** An IANA name. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

const today = statement<Today>(
  `select time_zone as "timeZone", day_of(now(), time_zone)::text as today from account where id = $1`,
);

/** Which day it is for an account. */
export const readToday = async (on: Queryable, accountId: number): Promise<Today> => {
  const [found] = await today(on, [accountId]);
  if (!found) throw new ActionRefused('not-found', `there is no account ${accountId}`);
  return found;
};

/** Days, `YYYY-MM-DD`, or times in ISO 8601. `to` is in the range if it is a day. */
interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** ISO 8601. `until` is not in it. */
interface Times {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const beginnings = statement<{ from: Date | null; until: Date | null }>(
  `select start_of_day($2::date, time_zone) as from, start_of_day($3::date + 1, time_zone) as until
   from account where id = $1`,
);

/** The times at which days of an account begin and end. Throws `invalid-fields` if the range is empty. */
export const timesOf = async (on: Queryable, accountId: number, { from, to }: Asked): Promise<Times> => {
  const days = [from, to].map((asked) => (asked !== undefined && isDay(asked) ? asked : null));
  const [found] = days.every((day) => day === null) ? [] : await beginnings(on, [accountId, ...days]);
  const times = { from: found?.from?.toISOString() ?? from, until: found?.until?.toISOString() ?? to };
  if (times.from !== undefined && times.until !== undefined && Date.parse(times.from) >= Date.parse(times.until)) {
    throw new Refusal('invalid-fields', { message: 'from: must be before to' });
  }
  return times;
};

const known = statement<{ name: string }>('select name from pg_timezone_names where lower(name) = lower($1) limit 1');

/**
 * The name of a time zone as PostgreSQL has it, which decides on days. It must be in its list: other names it takes for
 * abbreviations, or for offsets with the opposite sign.
 */
export const knownTimeZone = async (on: Queryable, timeZone: string): Promise<string> => {
  const [found] = await known(on, [timeZone]);
  if (!found) throw new ActionRefused('invalid', `time zone: the database does not know ${timeZone}`);
  return found.name;
};

const change = statement<{ before: string | null }>('select change_time_zone($1, $2) as before');

/**
 * Changes the time zone of an account within a transaction that has changed nothing before: its metrics and quality are
 * counted again by its new days. What retention has deleted stays on its days. Returns the one before, if the account exists.
 */
export const changeTimeZone = async (
  on: Queryable,
  accountId: number,
  timeZone: string,
): Promise<string | undefined> => {
  const [changed] = await change(on, [accountId, await knownTimeZone(on, timeZone)]);
  return changed?.before ?? undefined;
};
