import { isIPv4 } from 'node:net';
import { z } from 'zod';

/** Whether connections to servers on other machines may be worse than TLS with a checked certificate. */
export const serverAllowances = {
  ALLOW_UNENCRYPTED_SERVERS: z.stringbool().default(false),
  ALLOW_UNVERIFIED_SERVERS: z.stringbool().default(false),
};

/** PostgreSQL's URL, and what its connection may be like: part of an app's settings. */
export const databaseSettings = { DATABASE_URL: z.url(), ...serverAllowances };

/** The same for apps that also use RabbitMQ. */
export const serverSettings = { ...databaseSettings, AMQP_URL: z.url() };

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
