/** What a check came to. wrong: something does not work, or money is being lost. warn: worth a look. */
export type Finding = Readonly<{
  check: string;
  state: 'ok' | 'warn' | 'wrong';
  /** What is the case, in plain words. */
  finding: string;
  /** What to do about it; null where there is nothing to do. */
  todo: string | null;
}>;

export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding, todo: null });
export const warn = (check: string, finding: string, todo: string): Finding => ({
  check,
  state: 'warn',
  finding,
  todo,
});
export const wrong = (check: string, finding: string, todo: string): Finding => ({
  check,
  state: 'wrong',
  finding,
  todo,
});
