import { type Database, databaseErrorCode, type EntityManager, isDatabaseUnavailable } from '@leadback/db';
import type { OperatorContext } from '../command.ts';
import { type Finding, wrong } from './finding.ts';

export type CheckContext = Pick<OperatorContext, 'secretsKeys' | 'platforms'> & {
  readonly em: EntityManager;
  readonly pool: Database['pool'];
};

/** One look at what is in the database. */
export type Check = (context: CheckContext) => Promise<readonly Finding[]>;

const lookMaxMs = 6_000;

const whyNot = (error: unknown): string => {
  const code = databaseErrorCode(error);
  if (code === '42P01' || code === '42703') return 'what it looks at is not in the database; see "migrations"';
  if (code === '42501') return 'the role of DATABASE_URL may not read what it looks at';
  if (isDatabaseUnavailable(error)) return `PostgreSQL did not answer (${code ?? 'too slow'})`;
  return `${error instanceof Error ? error.name : typeof error} ${code ?? ''}`.trim();
};

/** What a check finds, in bounded time: one that fails or takes too long is a finding as well. */
export const runCheck = async (name: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  const late = Promise.withResolvers<readonly Finding[]>();
  const again = 'Run `doctor` again; if it stays, look at the servers themselves.';
  const timer = setTimeout(
    () => late.resolve([wrong(name, `not looked at: it took longer than ${lookMaxMs / 1_000} s`, again)]),
    lookMaxMs,
  );
  try {
    return await Promise.race([look(), late.promise]);
  } catch (error) {
    return [wrong(name, `not looked at: ${whyNot(error)}`, again)];
  } finally {
    clearTimeout(timer);
  }
};
