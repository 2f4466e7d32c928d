import { type Database, databaseErrorCode, type EntityManager, isDatabaseUnavailable } from '@leadback/db';
import type { OperatorContext } from '../command.ts';
import { type Finding, fail } from './finding.ts';

export type CheckContext = Pick<OperatorContext, 'secretsKeys' | 'platforms'> & {
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
