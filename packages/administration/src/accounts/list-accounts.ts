import { Account, type EntityManager } from '@leadback/db';

interface Wanted {
  /** A part of the name. */
  readonly find?: string | undefined;
  /** Default: all. */
  readonly limit?: number;
}

const pattern = (part: string) => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** All accounts, in the order of their creation. */
export const listAccounts = (em: EntityManager, { find, limit }: Wanted = {}): Promise<Account[]> =>
  em.find(Account, find === undefined ? {} : { name: { $ilike: pattern(find) } }, {
    orderBy: { id: 'asc' },
    ...(limit !== undefined && { limit }),
  });
