/** `error`: something does not work, or money is being lost. `warn`: needs attention, but not at once. */
export type Finding = Readonly<{
  check: string;
  state: 'ok' | 'warn' | 'error';
  finding: string;
  /** Null if there is nothing to do. */
  todo: string | null;
}>;

export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding, todo: null });
export const warn = (check: string, finding: string, todo: string): Finding => ({
  check,
  state: 'warn',
  finding,
  todo,
});
export const fail = (check: string, finding: string, todo: string): Finding => ({
  check,
  state: 'error',
  finding,
  todo,
});
