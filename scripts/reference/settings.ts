import { pageOf, table } from './table.ts';
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
    ALERTS_TO:
      'Who is told of alerts: the https URL of a webhook (of Alertmanager), or an address of email, with the next two',
    SMTP_URL: 'The mail server for ALERTS_TO: `smtp://user:password@smtp.example.com:587`; `%40` for an @ in the user',
    SMTP_FROM: 'The sender of these mails',
    DATABASE_HOST:
      'A PostgreSQL elsewhere, with its port if that is not 5432; the one of Docker Compose then stays empty. It needs TLS, and the roles of `deploy/postgres/roles.sh`',
  }).map(([name, text]): Setting => ({ name, part: 'usual', readers: ['Docker Compose'], standard: undefined, text })),
  ...Object.entries({
    POSTGRES_SHARED_BUFFERS: ['256MB', 'Buffers of PostgreSQL; `new-env.sh` writes a quarter of the memory'],
    BACKUPS_FOLDER: [
      undefined,
      'The folder of the backups that Docker Compose takes on a server; if not set, `backups` in the clone',
    ],
    CADDY_OPTIONS: [
      undefined,
      'A global option of Caddy, such as `email you@example.com`, or `local_certs` for certificates of its own authority',
    ],
  } as const).map(
    ([name, [standard, text]]): Setting => ({ name, part: 'rare', readers: ['Docker Compose'], standard, text }),
  ),
  ...Object.entries({
    PGPASSWORD: 'The password for DATABASE_URL, if that has none',
    AMQP_PASSWORD: 'The password for AMQP_URL, if that has none',
    NODE_EXTRA_CA_CERTS: 'A file with the authority of the certificates of your servers, if it is a private one',
    OTEL_EXPORTER_OTLP_HEADERS: 'Headers for the collector: `name=value`, separated by commas',
    OTEL_SERVICE_NAME: 'If not set, `leadback-` and the name of the app; do not use one name for all apps',
    OTEL_RESOURCE_ATTRIBUTES: 'Such as `deployment.environment.name=production`',
  }).map(([name, text]): Setting => ({ name, part: 'rare', readers: ['all'], standard: undefined, text })),
  {
    name: 'CELLS_FILE',
    part: 'rare',
    readers: ['operator'],
    standard: undefined,
    text: 'The cells that `cell list` and `account list --cells` read: [cells](../production.md#cells)',
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
    text: 'The first of its four operations ports',
  },
  { name: 'LEADBACK_FOLDER', part: 'rare', readers: ['`npm start`'], standard: '.leadback', text: 'Its data folder' },
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

const readersText = ({ readers }: Setting): string =>
  readers.length === Object.keys(apps).length ? 'all' : readers.join(', ');

const titles: Readonly<Record<Part, string>> = {
  required: 'Required',
  usual: 'Usual',
  rare: 'Rare',
};

/** docs/reference/settings.md. */
export const settingsPage = (): string => {
  const all = settings();
  const part = (of: Part) => {
    const rows = all
      .filter((one) => one.part === of)
      .map((one) => {
        const standard = one.standard === undefined ? '–' : `\`${one.standard}\``;
        return [`\`${one.name}\``, readersText(one), of === 'required' ? 'yes' : 'no', standard, one.text];
      });
    return `## ${titles[of]}\n${table(['setting', 'app', 'required', 'default', 'what it does'], rows)}`;
  };
  return pageOf(
    'Settings',
    'For platform teams: each app reads its environment at its start, and ends with a sentence if a setting is wrong. With Docker Compose, they go into `.env`, which `sh deploy/compose/new-env.sh DOMAIN` makes with what is required; on Kubernetes, into the config map of your [overlay](../kubernetes.md).',
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
        const isOneValue = one.standard !== undefined && !one.standard.includes(', ');
        const various = one.standard === undefined || isOneValue ? '' : `. Default: ${one.standard}`;
        const line = `${one.name}=${isOneValue ? one.standard : ''}`;
        return `${comment(`${plain(readersText(one))}: ${plain(one.text)}${various}`)}\n${part === 'required' ? line : `# ${line}`}`;
      });
    return `# ---- ${parts[part]} ----\n\n${lines.join('\n\n')}\n`;
  };
  return `# Settings of Leadback, with their defaults. Docker Compose: do not copy this file; sh deploy/compose/new-env.sh DOMAIN writes .env, and
# lines of this file can be added to it. Kubernetes: the config map of your overlay. Otherwise: the environment of each app.
# Each setting begins with the apps that read it. Written by node scripts/run.mjs reference

${(['required', 'usual', 'rare'] as const).map(block).join('\n')}`;
};
