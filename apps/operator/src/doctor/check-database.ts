import { databaseErrorCode, type EntityManager } from '@leadback/db';
import { readServerFacts } from './server-facts.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const check = 'database';
const versionMin = 15;

const meanwhile =
  'Meanwhile the api responds with 503, leads are buffered in RabbitMQ and on disk, and no accepted data is lost.';

const unreached = (url: URL, error: unknown): Finding => {
  const code = databaseErrorCode(error) ?? 'no response';
  if (code === '3D000') {
    return fail(
      check,
      `there is no database ${url.pathname.slice(1)} at ${url.host}`,
      'Run `database migrate` to create it.',
    );
  }
  if (/^(28|42501)/.test(code)) {
    return fail(
      check,
      `PostgreSQL at ${url.host} rejected the role ${url.username} (${code})`,
      'Check the role and password in DATABASE_URL, and that pg_hba.conf allows this machine.',
    );
  }
  return fail(
    check,
    `PostgreSQL at ${url.host} cannot be reached (${code})`,
    `Check DATABASE_URL and that the server is running. ${meanwhile}`,
  );
};

export const checkDatabase = async (em: EntityManager, databaseUrl: string): Promise<Finding> => {
  const url = new URL(databaseUrl);
  try {
    const { version, majorVersion, role, isReadOnly } = await readServerFacts(em);
    const found = `PostgreSQL ${version} at ${url.host} responds; the role is ${role}`;
    if (isReadOnly) {
      return fail(
        check,
        `${found}; the server is read-only: a standby, or set to read only`,
        `Set DATABASE_URL to the primary. ${meanwhile}`,
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
