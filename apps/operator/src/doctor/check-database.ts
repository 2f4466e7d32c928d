import { databaseErrorCode, type EntityManager, readServerFacts } from '@leadback/db';
import { type Finding, ok, warn, wrong } from './finding.ts';

const check = 'database';
const versionMin = 15;

const meanwhile =
  'Meanwhile the api answers 503, leads wait at the broker and on disk, and nothing that was accepted is lost.';

const unreached = (url: URL, error: unknown): Finding => {
  const code = databaseErrorCode(error) ?? 'no answer';
  if (code === '3D000') {
    return wrong(check, `there is no database ${url.pathname.slice(1)} at ${url.host}`, '`database migrate` makes it.');
  }
  if (/^(28|42501)/.test(code)) {
    return wrong(
      check,
      `PostgreSQL at ${url.host} does not let us in as ${url.username} (${code})`,
      'See that role and password of DATABASE_URL are right, and that pg_hba.conf lets this machine in.',
    );
  }
  return wrong(
    check,
    `PostgreSQL at ${url.host} cannot be reached (${code})`,
    `See that the server is up, and that DATABASE_URL names it. ${meanwhile}`,
  );
};

/** Whether PostgreSQL is there, takes us in, and can be written. */
export const checkDatabase = async (em: EntityManager, databaseUrl: string): Promise<Finding> => {
  const url = new URL(databaseUrl);
  try {
    const { version, majorVersion, role, isReadOnly } = await readServerFacts(em);
    const found = `PostgreSQL ${version} at ${url.host} answers, and takes us for ${role}`;
    if (isReadOnly) {
      return wrong(
        check,
        `${found}; it takes no writes: it is a standby, or set to read only`,
        `Let DATABASE_URL name the primary. ${meanwhile}`,
      );
    }
    if (majorVersion < versionMin) {
      return warn(check, found, `Leadback is tested with PostgreSQL ${versionMin} and newer: plan an upgrade.`);
    }
    return ok(check, found);
  } catch (error) {
    return unreached(url, error);
  }
};
