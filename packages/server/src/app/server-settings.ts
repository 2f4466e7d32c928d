import { isIPv4 } from 'node:net';
import { z } from 'zod';

/** Whether connections to servers on other machines may be worse than TLS with a checked certificate. */
export const serverAllowances = {
  ALLOW_UNENCRYPTED_SERVERS: z
    .stringbool()
    .default(false)
    .describe(
      '`true`: PostgreSQL and RabbitMQ on other machines may be used without TLS. Others on the network can then read and change everything',
    ),
  ALLOW_UNVERIFIED_SERVERS: z
    .stringbool()
    .default(false)
    .describe('`true`: certificates are not checked. Others on the network can then pose as the server'),
};

/** PostgreSQL's URL, and what its connection may be like: part of an app's settings. */
export const databaseSettings = {
  DATABASE_URL: z
    .url()
    .describe(
      'PostgreSQL, with the role of the app ([roles](../security.md#database-roles)): `postgres://leadback_api:…@db.example.com/leadback?sslmode=verify-full`',
    ),
  ...serverAllowances,
};

/** The same for apps that also use RabbitMQ. */
export const brokerUrl = z
  .url()
  .describe('RabbitMQ, as the user of the app: `amqps://api:…@broker.example.com:5671/leadback`');

export const serverSettings = { ...databaseSettings, AMQP_URL: brokerUrl };

/**
 * The environment, with `AMQP_PASSWORD` in `AMQP_URL` if that has no password: secret stores have passwords, and URLs are no
 * secrets. For PostgreSQL, its library does the same with `PGPASSWORD`.
 */
export const withBrokerPassword = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { AMQP_URL: text, AMQP_PASSWORD: password } = env;
  if (text === undefined || !password || !URL.canParse(text)) return env;
  const url = new URL(text);
  if (url.password !== '') return env;
  url.password = encodeURIComponent(password);
  return { ...env, AMQP_URL: url.href };
};

/** Where the library that connects would connect to, and how. */
export interface ServerAddress {
  /** A path if it is a Unix socket. */
  readonly host: string;
  /** unverified: a stranger between both may present any certificate. */
  readonly tls: 'verified' | 'unverified' | 'none';
}

/** Reads a URL as the library that connects does. Throws if the library would, or if it would ignore a part of the URL. */
export type ReadServer = (url: string) => ServerAddress;

type UrlName = 'DATABASE_URL' | 'AMQP_URL';
type ServerUrls = Readonly<Partial<Record<UrlName, string | undefined>>> &
  Readonly<Record<keyof typeof serverAllowances, boolean>>;

const remedies: Readonly<Record<UrlName, string>> = {
  DATABASE_URL: 'use ?sslmode=verify-full',
  AMQP_URL: 'use amqps://',
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('/') || (isIPv4(host) && host.startsWith('127.'));

const problemOf = ({ host, tls }: ServerAddress, name: UrlName, settings: ServerUrls): string | undefined => {
  if (isThisMachine(host) || tls === 'verified' || settings.ALLOW_UNENCRYPTED_SERVERS) return undefined;
  if (tls === 'none') {
    return `the connection to ${host} would not be encrypted: ${remedies[name]}, or set ALLOW_UNENCRYPTED_SERVERS=true if nobody can read or change the traffic`;
  }
  if (settings.ALLOW_UNVERIFIED_SERVERS) return undefined;
  return `${host} could be anybody, because its certificate would not be checked: ${remedies[name]}, or set ALLOW_UNVERIFIED_SERVERS=true if nobody can change the traffic`;
};

/**
 * Refuses URLs of other machines without TLS or without a check of the certificate, unless the settings allow them. For
 * `superRefine` of an app's settings.
 */
export const refuseUnsafe =
  (readers: Readonly<Partial<Record<UrlName, ReadServer>>>) =>
  (settings: ServerUrls, context: z.RefinementCtx): void => {
    for (const name of ['DATABASE_URL', 'AMQP_URL'] as const) {
      const [url, read] = [settings[name], readers[name]];
      if (url === undefined || read === undefined) continue;
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: [name], message });
      try {
        const problem = problemOf(read(url), name, settings);
        if (problem !== undefined) refuse(problem);
      } catch (error) {
        refuse(error instanceof Error ? error.message : 'cannot be read');
      }
    }
  };

/** What settings of several apps mean. */
export const secretsKeyText =
  'What `secrets keys` prints for the app; for the operator, 32 bytes in base64 (`openssl rand -base64 32`): [keys](../security.md#secrets_key)';
export const portText = 'The port of visitors, callers or people';
export const publicUrls = {
  LANDING_URL: {
    description: 'The public URL of the landing pages, where ads lead',
    isUsual: true,
  },
  API_URL: { description: 'The public URL of the API', isUsual: true },
  CONSOLE_URL: {
    description: 'The public URL of the console, which accepts changes from this origin alone',
    isUsual: true,
  },
} as const;
