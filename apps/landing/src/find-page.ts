import { type Database, LandingPage } from '@leadback/db';
import { slugSchema } from '@leadback/domain';
import { LRUCache } from 'lru-cache';

export type FindPage = (slug: string) => Promise<LandingPage | undefined>;

// How long a change by the operator may take to show.
const rememberedForMs = 5_000;
const pagesMax = 5_000;

/** Finds a page that is switched on. A page in use is remembered, and goes on being shown while the database is away. */
export const findPage = (database: Database): FindPage => {
  const pages = new LRUCache<string, LandingPage>({
    max: pagesMax,
    ttl: rememberedForMs,
    fetchMethod: async (slug, stale) => {
      try {
        return (await database.em().findOne(LandingPage, { slug, isOn: true })) ?? undefined;
      } catch (error) {
        // remembered anew, so that only one visitor in five seconds waits for a database that is away
        if (stale) return stale;
        throw error;
      }
    },
  });
  return async (slug) => (slugSchema.safeParse(slug).success ? pages.fetch(slug) : undefined);
};
