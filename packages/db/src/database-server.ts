import { Client } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

type Tls = Readonly<Record<string, unknown>>;

/** All that decides which server is used and how, as pg reads it from the URL and from the environment. */
export interface DatabaseServer {
  /** A path if it is a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Empty if nothing names one; the ORM would take another one. */
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Options of `tls.connect`; false: not encrypted. */
  readonly ssl: Tls | false;
}

const isObject = (value: unknown): value is Tls => typeof value === 'object' && value !== null;

/** Never left to `NODE_TLS_REJECT_UNAUTHORIZED`. */
const checked = (ssl: Tls): Tls => ({ ...ssl, rejectUnauthorized: ssl['rejectUnauthorized'] !== false });

/**
 * The server of a URL. A client of pg reads it, because any other reading could differ from that of the pool: which of two
 * equal parameters counts, what an empty one means, and which variable of the environment stands in. Throws if pg does.
 */
export const readDatabaseUrl = (url: string): DatabaseServer => {
  const { host, port, user, password, database, ssl }: Omit<Client, 'ssl'> & { readonly ssl: unknown } = new Client(
    parseIntoClientConfig(url),
  );
  return {
    host,
    port,
    user: user ?? '',
    password: password ?? undefined,
    database,
    ssl: isObject(ssl) ? checked(ssl) : ssl ? checked({}) : false,
  };
};

/** Where a connection to the database of a URL leads, and how. */
export const databaseAddress = (url: string): { host: string; tls: 'verified' | 'unverified' | 'none' } => {
  const { host, ssl } = readDatabaseUrl(url);
  if (ssl === false) return { host, tls: 'none' };
  // libpq's verify-ca: the certificate may be of another server of the authority, which may be a public one
  const isAnyName = ssl['checkServerIdentity'] !== undefined;
  return { host, tls: ssl['rejectUnauthorized'] === false || isAnyName ? 'unverified' : 'verified' };
};
