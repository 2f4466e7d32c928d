import { list, pageOf } from './table.ts';
import { settingsSchema as ofApi } from '../../apps/api/src/settings.ts';
import { settingsSchema as ofConsole } from '../../apps/console/src/settings.ts';
import { settingsSchema as ofWorker } from '../../apps/feedback-worker/src/settings.ts';
import { settingsSchema as ofLanding } from '../../apps/landing/src/settings.ts';
import { settingsSchema as ofOperator } from '../../apps/operator/src/settings.ts';

/** What is read of a zod schema. */
interface SettingSchema {
  readonly meta: () => Readonly<Record<string, unknown>> | undefined;
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown };
}

const apps: Readonly<Record<string, Readonly<Record<string, SettingSchema>>>> = {
  landing: ofLanding.shape,
  api: ofApi.shape,
  'feedback-worker': ofWorker.shape,
  console: ofConsole.shape,
  operator: ofOperator.shape,
};

type Part = 'required' | 'usual' | 'rare';

interface Setting {
  readonly name: string;
  readonly part: Part;
  /** Who reads it. */
  readonly readers: readonly string[];
  /** Undefined: none. */
  readonly standard: string | undefined;
  readonly text: string;
}

/** Settings that no schema of an app has: what Docker Compose, libraries and `npm start` read themselves. */
const others: readonly Setting[] = [
  ...Object.entries({
    ALERTS_TO: 'Who gets alerts: the https URL of a webhook of Alertmanager, or an address of email, with the next two',
    SMTP_URL: '`smtp://user:password@smtp.example.com:587`; `%40` for an @ in the user',
    SMTP_FROM: 'The sender of these mails',
    DATABASE_HOST:
      'A PostgreSQL elsewhere, with its port if that is not 5432. It needs TLS: [self-host](../self-host.md#install)',
  }).map(([name, text]): Setting => ({ name, part: 'usual', readers: ['Docker Compose'], standard: undefined, text })),
  ...Object.entries({
    POSTGRES_SHARED_BUFFERS: ['256MB', 'Buffers of PostgreSQL: a quarter of the memory'],
    BACKUPS_FOLDER: [undefined, 'The folder of the backups; if not set, `backups` in the clone'],
    CADDY_OPTIONS: [
      undefined,
      'A global option of Caddy, such as `email you@example.com`, or `local_certs` for its own authority',
    ],
  } as const).map(
    ([name, [standard, text]]): Setting => ({ name, part: 'rare', readers: ['Docker Compose'], standard, text }),
  ),
  ...Object.entries({
    PGPASSWORD: 'The password for DATABASE_URL',
    AMQP_PASSWORD: 'The password for AMQP_URL',
    NODE_EXTRA_CA_CERTS: 'A file with the private authority of your servers',
    OTEL_EXPORTER_OTLP_HEADERS: 'Headers for the collector: `name=value`, separated by commas',
    OTEL_SERVICE_NAME: 'If not set, `leadback-` and the name of the app',
    OTEL_RESOURCE_ATTRIBUTES: 'Such as `deployment.environment.name=production`',
  }).map(([name, text]): Setting => ({ name, part: 'rare', readers: ['all'], standard: undefined, text })),
  {
    name: 'CELLS_FILE',
    part: 'rare',
    readers: ['operator'],
    standard: undefined,
    text: 'The list of cells: [cells](../production.md#cells)',
  },
  ...Object.entries({
    LANDING_PORT: '3000',
    API_PORT: '3001',
    SHOP_PORT: '3002',
    SANDBOX_PORT: '3003',
    CONSOLE_PORT: '3004',
  }).map(
    ([name, standard]): Setting => ({
      name,
      part: 'rare',
      readers: ['`npm start`'],
      standard,
      text: 'A port of the demonstration',
    }),
  ),
  {
    name: 'OPERATIONS_PORT_BASE',
    part: 'rare',
    readers: ['`npm start`'],
    standard: '9100',
    text: 'The first of four operations ports',
  },
  { name: 'LEADBACK_FOLDER', part: 'rare', readers: ['`npm start`'], standard: '.leadback', text: 'The data folder' },
];

const appsWith = (name: string) =>
  Object.entries(apps).flatMap(([app, shape]) => {
    const schema = shape[name];
    return schema === undefined ? [] : [{ app, schema, read: schema.safeParse(undefined) }];
  });

const textOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : undefined;
};

const settingOf = (name: string): Setting => {
  const found = appsWith(name);
  const metas = found.map(({ schema }) => schema.meta() ?? {});
  const text = metas.map(({ description }) => description).find((one) => typeof one === 'string');
  if (typeof text !== 'string') throw new Error(`${name} has no description: add .describe('…') to its schema`);
  const standards = found.map(({ app, schema, read }) => ({
    app,
    value: textOf(read.data ?? schema.meta()?.['standard']),
  }));
  const [first] = standards.flatMap(({ value }) => value ?? []);
  const isOne = standards.every(({ value }) => value === undefined || value === first);
  const isRequired = found.some(({ read }) => !read.success);
  const isUsual = metas.some((meta) => meta['isUsual'] === true);
  return {
    name,
    part: isRequired ? 'required' : isUsual ? 'usual' : 'rare',
    readers: found.map(({ app }) => app),
    standard: isOne
      ? first
      : standards.flatMap(({ app, value }) => (value === undefined ? [] : `${value} ${app}`)).join(', '),
    text,
  };
};

/** Every setting, those of a part together. */
export const settings = (): readonly Setting[] => {
  const names = new Set(Object.values(apps).flatMap((shape) => Object.keys(shape)));
  const all = [...Array.from(names, settingOf), ...others];
  return (['required', 'usual', 'rare'] as const).flatMap((part) => all.filter((one) => one.part === part));
};

const readersText = ({ readers }: Setting): string => {
  const missing = Object.keys(apps).filter((app) => !readers.includes(app));
  if (missing.length === 0) return 'all';
  return missing.join() === 'operator' ? 'apps' : readers.join(', ');
};

const quoted = (text: string) => `\`${text}\``;
/** Apps with defaults of their own have them beside their names. */
const hasOneDefault = ({ standard }: Setting): boolean => standard === undefined || !standard.includes(', ');

/** An entry of the page: the settings that differ in name and default alone share one. */
const entryOf = (same: readonly Setting[]): readonly [string, string] => {
  const names = same.map((one) =>
    quoted(one.standard === undefined || !hasOneDefault(one) ? one.name : `${one.name}=${one.standard}`),
  );
  const [first] = same;
  if (!first) throw new Error('no setting');
  return [`${names.join(', ')} (${hasOneDefault(first) ? readersText(first) : first.standard})`, first.text];
};

const titles: Readonly<Record<Part, string>> = {
  required: 'Required',
  usual: 'Usual',
  rare: 'Rare',
};

/** docs/reference/settings.md. */
export const settingsPage = (): string => {
  const all = settings();
  const part = (of: Part) => {
    const own = all.filter((one) => one.part === of);
    const entries = [...Map.groupBy(own, ({ readers, text }) => `${readers.join()} ${text}`).values()].map(entryOf);
    return `## ${titles[of]}\n\n${list(entries)}`;
  };
  return pageOf(
    'Settings',
    'For platform teams: each setting with its default, and who reads it (*apps*: all but the operator). With Docker Compose, `sh deploy/compose/new-env.sh DOMAIN` writes what is required into `.env`; on Kubernetes, they are in the config map of your [overlay](../kubernetes.md).',
    part('required'),
    part('usual'),
    part('rare'),
  );
};

const width = 130;

/** A text as comment lines. */
const comment = (text: string): string => {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
};

const plain = (text: string): string => text.replace(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g, 'docs/$2').replaceAll('`', '');

const parts: Readonly<Record<Part, string>> = {
  required: '1. Required. With Docker Compose, new-env.sh and docker-compose.yml set these',
  usual: '2. Usual',
  rare: '3. Rare',
};

/** .env.example. */
export const envExample = (): string => {
  const all = settings();
  const block = (part: Part) => {
    const lines = all
      .filter((one) => one.part === part)
      .map((one) => {
        const isOneValue = one.standard !== undefined && hasOneDefault(one);
        const various = one.standard === undefined || isOneValue ? '' : `. Default: ${one.standard}`;
        const line = `${one.name}=${isOneValue ? one.standard : ''}`;
        return `${comment(`${plain(readersText(one))}: ${plain(one.text)}${various}`)}\n${part === 'required' ? line : `# ${line}`}`;
      });
    return `# ---- ${parts[part]} ----\n\n${lines.join('\n\n')}\n`;
  };
  return `# Settings of Leadback, with their defaults. Docker Compose: do not copy this file; sh deploy/compose/new-env.sh DOMAIN writes .env, and
# lines of this file can be added to it. Kubernetes: the config map of your overlay. Otherwise: the environment of each app.
# Each setting begins with the apps that read it (apps: all but the operator). Written by node scripts/run.mjs reference

${(['required', 'usual', 'rare'] as const).map(block).join('\n')}`;
};
