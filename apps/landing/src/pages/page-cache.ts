import { type Database, LandingPage } from '@leadback/db';
import { slugSchema } from '@leadback/domain';
import { type BuiltPage, buildPage } from './built-page.ts';
import { batchedLookup } from './batched-lookup.ts';

/** All pages that are on, as of the last refresh. */
export interface PageCache {
  /** Returns a cached page or loads it. Throws if it is not cached and PostgreSQL is unavailable. */
  readonly find: (slug: string) => Promise<BuiltPage | undefined>;
  /** Loads the pages changed since the last refresh. `now` is the time of the database clock. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Whether the first refresh is done. */
  readonly isRead: () => boolean;
}

// A change has the start time of its transaction and may become visible after later ones.
const overlapMs = 10_000;

export const pageCache = (database: Database): PageCache => {
  const pages = new Map<string, LandingPage>();
  const built = new WeakMap<LandingPage, BuiltPage>();
  const slugOf = new Map<number, string>();
  let lastTime: Date | undefined;

  const cache = (page: LandingPage): void => {
    const known = slugOf.get(page.id);
    const isSame = known !== undefined && pages.get(known)?.changedAt.getTime() === page.changedAt.getTime();
    if (isSame) return;
    if (known !== undefined) pages.delete(known);
    slugOf.delete(page.id);
    if (!page.isOn) return;
    pages.set(page.slug, page);
    slugOf.set(page.id, page.slug);
  };

  const build = (page: LandingPage): BuiltPage => {
    const ready = built.get(page) ?? buildPage(page);
    built.set(page, ready);
    return ready;
  };

  const lookUp = batchedLookup(async (slugs) => {
    const found = await database.em().find(LandingPage, { slug: { $in: [...slugs] }, isOn: true });
    for (const page of found) cache(page);
    return slugs.map((slug) => pages.get(slug) ?? null);
  });

  return {
    async find(slug) {
      const page = pages.get(slug) ?? (slugSchema.safeParse(slug).success ? await lookUp(slug) : null);
      return page ? build(page) : undefined;
    },
    async refresh(now) {
      const since = lastTime && new Date(lastTime.getTime() - overlapMs);
      const wanted = since ? { changedAt: { $gte: since } } : { isOn: true };
      for (const page of await database.em().find(LandingPage, wanted)) cache(page);
      lastTime = now;
    },
    isRead: () => lastTime !== undefined,
  };
};
