import { z } from 'zod';

/** PostgreSQL's URL, and whether servers on other machines may be used without TLS: part of an app's settings. */
export const databaseSettings = { DATABASE_URL: z.url(), ALLOW_UNENCRYPTED_SERVERS: z.stringbool().default(false) };

/** The same for apps that also use RabbitMQ. */
export const serverSettings = { ...databaseSettings, AMQP_URL: z.url() };

const isThisMachine = (host: string): boolean =>
  ['', 'localhost', '[::1]', '::1'].includes(host) ||
  /^127\.\d+\.\d+\.\d+$/.test(host) ||
  // a Unix socket; the host of a URL has %2F instead of slashes
  /^(\/|%2f)/i.test(host);

/** As pg reads it: without a mode, the connection is not encrypted. */
const isEncryptedDatabase = ({ searchParams }: URL): boolean => {
  const mode = searchParams.get('sslmode') ?? process.env['PGSSLMODE'];
  if (mode !== undefined) return mode !== 'disable';
  return ['true', '1'].includes(searchParams.get('ssl') ?? '') || searchParams.has('sslrootcert');
};

const isEncrypted: Readonly<Record<'DATABASE_URL' | 'AMQP_URL', (url: URL) => boolean>> = {
  DATABASE_URL: isEncryptedDatabase,
  AMQP_URL: ({ protocol }) => protocol === 'amqps:',
};

const remedies = {
  DATABASE_URL: 'add ?sslmode=verify-full',
  AMQP_URL: 'use amqps://',
};

interface ServerUrls {
  readonly DATABASE_URL: string;
  readonly AMQP_URL?: string | undefined;
  readonly ALLOW_UNENCRYPTED_SERVERS: boolean;
}

/** Refuses URLs of other machines without TLS, unless the settings allow them. For `superRefine` of an app's settings. */
export const refuseUnencrypted = (settings: ServerUrls, context: z.RefinementCtx): void => {
  if (settings.ALLOW_UNENCRYPTED_SERVERS) return;
  for (const name of ['DATABASE_URL', 'AMQP_URL'] as const) {
    const url = URL.parse(settings[name] ?? '');
    if (url === null || isThisMachine(url.searchParams.get('host') ?? url.hostname) || isEncrypted[name](url)) continue;
    const message = `the connection to ${url.hostname} would not be encrypted: ${remedies[name]}, or set ALLOW_UNENCRYPTED_SERVERS=true if nobody can read or change the traffic`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
};
