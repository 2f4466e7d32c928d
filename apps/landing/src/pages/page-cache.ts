import { type Database, LandingPage } from '@leadback/db';
import { slugSchema } from '@leadback/domain';
import { type BuiltPage, buildPage } from './built-page.ts';
import { batchedLookup } from './batched-lookup.ts';

/** All pages that are switched on, as this app last heard of them. */
export interface PageCache {
  /**
   * Finds a page by its address. One that is in the book is given at once, whether the database is there or not; for
   * another the database is asked. Throws where that is away.
   */
  readonly find: (slug: string) => Promise<BuiltPage | undefined>;
  /** Reads what has changed since the last time; takes the time by the database's clock. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Whether it has been read once. */
  readonly isRead: () => boolean;
}

// Changes carry the time at which their transactions began, and may show later than others that began after them.
const overlapMs = 10_000;

export const pageCache = (database: Database): PageCache => {
  const pages = new Map<string, LandingPage>();
  const built = new WeakMap<LandingPage, BuiltPage>();
  const slugOf = new Map<number, string>();
  let lastTime: Date | undefined;

  const enter = (page: LandingPage): void => {
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
    for (const page of found) enter(page);
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
      for (const page of await database.em().find(LandingPage, wanted)) enter(page);
      lastTime = now;
    },
    isRead: () => lastTime !== undefined,
  };
};
