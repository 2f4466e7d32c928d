import { type Database, databaseErrorCode, type EntityManager, isDatabaseUnavailable } from '@leadback/db';
import type { OperatorContext } from '../command.ts';

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

type CheckContext = Pick<OperatorContext, 'secretsKeys' | 'platforms'> & {
  readonly em: EntityManager;
  readonly pool: Database['pool'];
};

export type Check = (context: CheckContext) => Promise<readonly Finding[]>;

const timeoutMs = 6_000;

const whyNot = (error: unknown): string => {
  const code = databaseErrorCode(error);
  if (code === '42P01' || code === '42703') return 'a table or column is missing; see "migrations"';
  if (code === '42501') return 'the role in DATABASE_URL may not read a table that it needs';
  if (isDatabaseUnavailable(error)) return `PostgreSQL did not respond (${code ?? 'timeout'})`;
  return `${error instanceof Error ? error.name : typeof error} ${code ?? ''}`.trim();
};

/** Runs a check for at most six seconds. A check that throws or times out is a finding as well. */
export const runCheck = async (name: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  const late = Promise.withResolvers<readonly Finding[]>();
  const again = 'Run `doctor` again; if this persists, check the servers.';
  const timer = setTimeout(
    () => late.resolve([fail(name, `not checked: it took longer than ${timeoutMs / 1_000} s`, again)]),
    timeoutMs,
  );
  try {
    return await Promise.race([check(), late.promise]);
  } catch (error) {
    return [fail(name, `not checked: ${whyNot(error)}`, again)];
  } finally {
    clearTimeout(timer);
  }
};

/** `1 lead`, `12 leads`, `12,000 leads`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `40 s`, `12 min`, `5 h`, `3 days`. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
};

/** `a, b and 12 more`. */
export const truncateList = (all: readonly string[], few = 10): string =>
  all.length <= few ? all.join(', ') : `${all.slice(0, few).join(', ')} and ${all.length - few} more`;
