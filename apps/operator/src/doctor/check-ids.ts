import { cellsOf, idRangeOf, readIdSequences } from '@leadback/db';
import type { Check } from './check.ts';
import { ok, warn } from './finding.ts';
import { truncateList } from './format.ts';

const check = 'ids';
const warnShare = 0.8;

export const checkIds: Check = async ({ pool }) => {
  const sequences = await readIdSequences(async (sql) => (await pool.query(sql)).rows);
  const [cell, ...others] = cellsOf(sequences);
  if (cell === undefined) return [ok(check, 'this database is not a cell: its ids have no range')];
  if (others.length > 0) {
    const cells = [cell, ...others].join(' and ');
    return [
      warn(
        check,
        `tables have ids of the cells ${cells}, so some may be the same as in another cell`,
        'See which cell this is with `cell list`, and give the other sequences its range with `alter sequence`.',
      ),
    ];
  }
  const without = sequences.filter((sequence) => sequence.cell === undefined).map(({ table }) => table);
  if (without.length > 0) {
    return [
      warn(
        check,
        `the ids of ${truncateList(without)} have no range, and those of other tables have that of cell ${cell}`,
        `Run \`cell create NAME --number ${cell}\` as leadback_owner.`,
      ),
    ];
  }
  const { first, last } = idRangeOf(cell);
  const short = sequences.filter(({ position }) => (position - first) / (last - first) > warnShare);
  if (short.length > 0) {
    const names = truncateList(short.map(({ table }) => table));
    return [
      warn(
        check,
        `more than 80 % of the ids of cell ${cell} are used in ${names}`,
        'Plan another cell, and move accounts to it.',
      ),
    ];
  }
  return [ok(check, `all tables have the ids of cell ${cell}, ${first} to ${last}`)];
};
