import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@leadback/domain';
import { keyedApps, purposesOf } from '@leadback/domain/keys';
import { z } from 'zod';
import { capabilities } from '../../apps/console/src/contract/session.ts';
import { mayDo } from '../../apps/console/src/sessions/authenticate.ts';
import { appRoles, functionsOfApps, privilegesOfApps } from '../../packages/db/src/privileges-of-apps.ts';
import { root } from '../start/data-folder.ts';
import { pageOf, table } from './table.ts';

const quoted = (name: string) => `\`${name}\``;

const people = () =>
  table(
    ['may', ...roles.map(quoted)],
    capabilities.map((one) => [quoted(one), ...roles.map((role) => (mayDo(role, one) ? 'yes' : ''))]),
  );

// the columns are in privileges-of-apps.ts
const withoutColumns = (right: string) =>
  right
    .replaceAll(/ \([^)]*\)/g, ' *')
    .replaceAll(/(select|insert|update|delete)/g, (word) => word[0] ?? '')
    .replaceAll(/[ ,]+(?=[siud])/g, ' ')
    .replaceAll(' *', '*');

const tables = () => {
  const names = [...new Set(appRoles.flatMap((role) => Object.keys(privilegesOfApps[role])))].toSorted();
  return table(
    ['table', ...appRoles.map(quoted)],
    names.map((name) => [quoted(name), ...appRoles.map((role) => withoutColumns(privilegesOfApps[role][name] ?? ''))]),
  );
};

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
  table(
    ['app', 'keys in its `SECRETS_KEY`'],
    keyedApps.map((app) => [
      quoted(app),
      purposesOf[app].map((purpose) => purpose.replace('waiting lead 1', 'buffered leads')).join(', '),
    ]),
  );

export const permissionsPage = (): string =>
  pageOf(
    'Permissions',
    'For platform teams and auditors: what each person, app and server user may do. [Security](../security.md) says how to set it up.',
    `## People in the console\n\n${people()}\n\n\`marketer\` and the two partner roles see only their own accounts.`,
    `## Tables\n\n${tables()}\n\ns: select, i: insert, u: update, d: delete; *: only the columns that \`packages/db/src/privileges-of-apps.ts\` names. \`leadback_console\` reads and writes all data, but deletes no leads, clients, conversions, accounts, keys or pages, and only adds to the audit log. \`leadback_owner\` owns the schema.`,
    `Functions with the rights of the owner:\n\n- ${functions()}`,
    `## RabbitMQ\n\n${broker()}`,
    `## Keys of each app\n\n${keys()}\n\nThe operator has \`SECRETS_KEY\` itself.`,
  );
