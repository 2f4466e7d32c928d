// RFC 3339, and what names one instant just as well: `%z` of PHP and Python (+0000), the blank of PostgreSQL and Google, the short
// offset of PostgreSQL (-03), the comma of ISO 8601 and Python's logs, the UTC of Ruby and Go
const shape =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T_]| +)([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)? *(?:(Z|UTC|GMT)|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * The instant that a time with an offset names, in ISO 8601 in UTC. Undefined for all else: a time without an offset is another instant in each
 * zone, and a number may be seconds or milliseconds.
 */
export const instantOf = (text: string): string | undefined => {
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '00',
    fraction = '0',
    ,
    sign,
    hours,
    minutes,
  ] = shape.exec(text) ?? [];
  if (year === '' || Number(day) > daysIn(Number(year), Number(month))) return undefined;
  const offset = sign === undefined ? 'Z' : `${sign}${hours}:${minutes ?? '00'}`;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 9)}${offset}`).toISOString();
};
