import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

const roles = join(import.meta.dirname, '../../../../deploy/postgres/roles.sql');

/** Creates the roles of the apps as in production, with the administrator's password, and gives them the database. */
export const makeRoles = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readFileSync(roles, 'utf8'));
    const { password } = new URL(url);
    if (password === '') return;
    const own = ['leadback_owner', ...Object.values(databaseRoles)];
    await client.query(own.map((role) => `alter role ${role} password '${password}'`).join(';'));
  } finally {
    await client.end();
  }
};

/** The role of each app. */
export const databaseRoles = {
  landing: 'leadback_landing',
  api: 'leadback_api',
  'feedback-worker': 'leadback_feedback_worker',
  console: 'leadback_console',
} as const;

export type DatabaseRole = 'leadback_owner' | (typeof databaseRoles)[keyof typeof databaseRoles];

/** The URL of a local database for a role. All roles of a local server have the same password. */
export const asDatabaseRole = (url: string, role: DatabaseRole): string => {
  const own = new URL(url);
  own.username = role;
  return own.href;
};
