// Node reads a number in a tenth of the time of a timestamp. A float8 is not exact: without the half microsecond that is
// added, a time with whole milliseconds could lose one.
/** SQL: whole milliseconds since 1970. */
export const msOf = (time: string): string => `floor(date_part('epoch', ${time}) * 1000 + 0.0005)`;
