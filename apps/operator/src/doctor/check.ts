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

/** A finding of a check: of `check`, if that is another one. */
export interface Found extends Omit<Finding, 'check'> {
  readonly check?: string;
}

export const ok = (finding: string): Found => ({ state: 'ok', finding, todo: null });
export const warn = (finding: string, todo: string): Found => ({ state: 'warn', finding, todo });
export const fail = (finding: string, todo: string): Found => ({ state: 'error', finding, todo });

/** Findings of this check, but for those that are of another one. */
export const named = (check: string, found: Result): Finding[] => [found].flat().map((one) => ({ check, ...one }));

type CheckContext = Pick<
  OperatorContext,
  'secretsKeys' | 'platforms' | 'landingUrl' | 'apiUrl' | 'consoleUrl' | 'alertmanagerUrl'
> & {
  readonly em: EntityManager;
  readonly pool: Database['pool'];
};

export type Result = Found | readonly Found[];

export type Check = (context: CheckContext) => Promise<Result>;

const timeoutMs = 6_000;

const whyNot = (error: unknown): string => {
  const code = databaseErrorCode(error);
  if (code === '42P01' || code === '42703') return 'a table or column is missing; see "migrations"';
  if (code === '42501') return 'the role in DATABASE_URL may not read a table that it needs';
  if (isDatabaseUnavailable(error)) return `PostgreSQL did not respond (${code ?? 'timeout'})`;
  return `${error instanceof Error ? error.name : typeof error} ${code ?? ''}`.trim();
};

const notChecked = (why: string) =>
  fail(`not checked: ${why}`, 'Run `doctor` again; if this persists, check the servers.');

/** Runs a check for at most six seconds. A check that throws or times out is a finding as well. */
export const runCheck = async (name: string, check: () => Promise<Result>): Promise<readonly Finding[]> => {
  const late = Promise.withResolvers<Result>();
  const timer = setTimeout(() => late.resolve(notChecked(`it took longer than ${timeoutMs / 1_000} s`)), timeoutMs);
  const found = await Promise.race([check(), late.promise]).catch((error: unknown) => notChecked(whyNot(error)));
  clearTimeout(timer);
  return named(name, found);
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
