import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@leadback/domain';
import { keyedApps, purposesOf } from '@leadback/domain/keys';
import { z } from 'zod';
import { capabilities } from '../../apps/console/src/contract/session.ts';
import { mayDo } from '../../apps/console/src/sessions/authenticate.ts';
import { appRoles, functionsOfApps, privilegesOfApps } from '../../packages/db/src/privileges-of-apps.ts';
import { root } from '../start/data-folder.ts';
import { list, pageOf, table } from './table.ts';

const quoted = (name: string) => `\`${name}\``;

const rolesOf = (one: (typeof capabilities)[number]) =>
  roles
    .filter((role) => mayDo(role, one))
    .map(quoted)
    .join(', ');
/** What the same roles may do is one row. */
const people = () => {
  return table(
    ['who', 'may'],
    [...Map.groupBy(capabilities, rolesOf)].map(([who, what]) => [
      who === roles.map(quoted).join(', ') ? 'everybody' : who,
      what.map(quoted).join(', '),
    ]),
  );
};

// the columns are in privileges-of-apps.ts
const withoutColumns = (right: string) => right.replaceAll(/ \([^)]*\)/g, '*');

/** For each role, the tables on which it has the same rights together. */
const tables = () =>
  appRoles
    .map((role) => {
      const own = Object.entries(privilegesOfApps[role]).toSorted(([one], [other]) => (one < other ? -1 : 1));
      const groups = Map.groupBy(own, ([, right]) => withoutColumns(right));
      const entries = [...groups].map(([rights, same]): readonly [string, string] => [
        rights,
        same.map(([name]) => quoted(name)).join(', '),
      ]);
      return `### ${role}\n\n${list(entries)}`;
    })
    .join('\n\n');

const functions = () =>
  Object.entries(functionsOfApps)
    .map(([name, callers]) => `${quoted(name)}: ${callers.map(quoted).join(', ')}`)
    .join('\n- ');

const definitionsSchema = z.object({
  permissions: z.array(z.object({ user: z.string(), configure: z.string(), write: z.string(), read: z.string() })),
});
// `|` would end a cell
const pattern = (text: string) => (text === '^$' ? '–' : `<code>${text.replaceAll('|', '&#124;')}</code>`);

const broker = () => {
  const file = join(root, 'deploy/rabbitmq/definitions.json');
  const { permissions } = definitionsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return table(
    ['user', 'configure', 'write', 'read'],
    permissions.map(({ user, configure, write, read }) => [quoted(user), ...[configure, write, read].map(pattern)]),
  );
};

const keys = () =>
  list(
    keyedApps.map((app) => [
      quoted(app),
      purposesOf[app].map((purpose) => purpose.replace('waiting lead 1', 'buffered leads')).join(', '),
    ]),
  );

export const permissionsPage = (): string =>
  pageOf(
    'Permissions',
    'For platform teams and auditors: what each person and app may do. [Security](../security.md) says how to set it up.',
    `## People in the console\n\n${people()}\n\n\`marketer\`, \`partner-admin\` and \`partner-viewer\` see only their own accounts.`,
    `## Tables\n\n${tables()}\n\nA star: only columns that \`packages/db/src/privileges-of-apps.ts\` names. \`leadback_console\` reads and writes all data, but deletes no leads, clients, conversions, accounts, keys or pages, and only adds to the audit log. \`leadback_owner\` owns the schema.`,
    `Functions with the rights of the owner:\n\n- ${functions()}`,
    `## RabbitMQ\n\n${broker()}`,
    `## Keys of each app\n\n${keys()}\n\nThe operator has \`SECRETS_KEY\` itself.`,
  );
