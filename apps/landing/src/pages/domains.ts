import { type Database, preparedStatement } from '@leadback/db';
import { Router } from 'express';
import { z } from 'zod';

/** A domain on which the pages of one account are. */
export const servedDomainSchema = z.object({ id: z.int(), name: z.string(), accountId: z.int() });
export type ServedDomain = Readonly<z.infer<typeof servedDomainSchema>>;

interface Row extends ServedDomain {
  readonly isRemoved: boolean;
}

const columns = `id, name, account_id as "accountId", removed_at is not null as "isRemoved"`;

const findAll = preparedStatement<Row>('find-domains', `select ${columns} from own_domain where removed_at is null`);

const findChanged = preparedStatement<Row>(
  'find-changed-domains',
  `select ${columns} from own_domain where changed_at >= $1`,
);

/** All domains of accounts, as of the last refresh. */
export interface DomainCache {
  /** The domain that a header `Host` names, with any port, in capitals, with a full stop at its end; undefined: it is none. */
  readonly at: (host: string | undefined) => ServedDomain | undefined;
  /** Whether a name is exactly that of a domain. */
  readonly has: (name: string) => boolean;
  /** Loads the domains that were added or removed since a time, or all. */
  readonly refresh: (since: Date | undefined) => Promise<void>;
  /** Fills the cache with domains of an earlier run. */
  readonly restore: (domains: readonly ServedDomain[]) => void;
  /** The list is another one once a domain was added or removed. */
  readonly all: () => readonly ServedDomain[];
}

// nearly all hosts are as they are stored
const unusual = /[A-Z:]|\.$/;
const usual = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

export const domainCache = (database: Pick<Database, 'pool'>): DomainCache => {
  const domains = new Map<string, ServedDomain>();
  let listed: readonly ServedDomain[] | undefined;

  const keep = ({ id, name, accountId }: ServedDomain): void => {
    if (domains.get(name)?.id === id) return;
    listed = undefined;
    domains.set(name, { id, name, accountId });
  };

  // another account may have the name by now
  const forget = ({ id, name }: ServedDomain): void => {
    if (domains.get(name)?.id !== id) return;
    listed = undefined;
    domains.delete(name);
  };

  return {
    at(host) {
      if (host === undefined || domains.size === 0) return undefined;
      return domains.get(host) ?? (unusual.test(host) ? domains.get(usual(host)) : undefined);
    },
    has: (name) => domains.has(name),
    async refresh(since) {
      const found = await (since === undefined ? findAll(database.pool, []) : findChanged(database.pool, [since]));
      if (since === undefined) {
        // a restored one may have been removed since
        const known = new Set(found.map(({ id }) => id));
        for (const domain of domains.values()) if (!known.has(domain.id)) forget(domain);
      }
      for (const row of found) if (row.isRemoved) forget(row);
      for (const row of found) if (!row.isRemoved) keep(row);
    },
    restore(restored) {
      for (const domain of restored) keep(domain);
    },
    all() {
      listed ??= [...domains.values()];
      return listed;
    },
  };
};

/**
 * `GET /domains/allowed?domain=` of the operations port: 200 if a proxy may get a certificate for the name, else 404. The hosts of
 * the installation are no domains of accounts: their certificates need no permission.
 */
export const allowedDomains = ({ has }: Pick<DomainCache, 'has'>): Router => {
  const router = Router();
  router.get('/domains/allowed', ({ query: { domain } }, response) => {
    response.sendStatus(typeof domain === 'string' && has(domain.toLowerCase()) ? 200 : 404);
  });
  return router;
};
