import { type RefusalCode, type RefusalName, refusalOf, refusals } from '@leadback/domain';
import { statusOfCode } from './refusal-status.ts';

/** The documentation of the refusals with one status. */
export interface OfferedRefusals {
  readonly status: number;
  /** Values of `Leadback-Error` with this status. */
  readonly codes: readonly RefusalCode[];
  readonly meaning: string;
  /** The message of the first one. */
  readonly example: string;
}

/** Groups refusals by status. */
export const offeredRefusals = (names: readonly RefusalName[]): OfferedRefusals[] => {
  const named = names.map((name) => refusalOf(name));
  return [...Map.groupBy(named, ({ code }) => statusOfCode[code])].map(([status, group]) => {
    const codes = [...new Set(group.map(({ code }) => code))];
    return {
      status,
      codes,
      meaning: codes.map((code) => refusals[code].meaning).join(' '),
      example: group[0]?.message ?? '',
    };
  });
};
