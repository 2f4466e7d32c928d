import type { Platform } from '@leadback/platforms';

/** What it means if a check is rejected for this reason, in full sentences; null: nothing in particular. */
export const rejectedCheck = ({ rejectedChecks = {} }: Platform['codes'], reason: string): string | null => {
  const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
  return Object.hasOwn(rejectedChecks, code) ? (rejectedChecks[code] ?? null) : null;
};
