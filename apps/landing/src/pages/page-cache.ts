import { type Database, LandingPage } from '@leadback/db';
import { isReservedSlug, slugSchema } from '@leadback/domain';
import { type BuiltPage, buildPage } from './built-page.ts';
import { batchedLookup } from './batched-lookup.ts';
import { type ServedPage, servedPage } from './served-page.ts';

/** All pages that are on, as of the last refresh. */
export interface PageCache {
  /** Returns a cached page or loads it. Throws if it is not cached and PostgreSQL is unavailable. */
  readonly find: (slug: string) => Promise<BuiltPage | undefined>;
  /** A cached page. */
  readonly byId: (id: number) => ServedPage | undefined;
  /** Loads the pages changed since the last refresh. `now` is the time of the database clock. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Fills the cache with pages of an earlier run; the first refresh replaces them. */
  readonly restore: (pages: readonly ServedPage[]) => void;
  /** All pages; undefined before the first refresh. The list is another one once a page has changed. */
  readonly all: () => readonly ServedPage[] | undefined;
  /** Whether there are pages to serve: after the first refresh, or from an earlier run. */
  readonly isRead: () => boolean;
}

// A change has the start time of its transaction and may become visible after later ones.
const overlapMs = 10_000;

export const pageCache = (database: Database): PageCache => {
  const pages = new Map<string, ServedPage>();
  const built = new WeakMap<ServedPage, BuiltPage>();
  const slugOf = new Map<number, string>();
  let lastTime: Date | undefined;
  let isRestored = false;
  let listed: readonly ServedPage[] | undefined;

  const forget = (id: number): void => {
    const slug = slugOf.get(id);
    if (slug === undefined) return;
    listed = undefined;
    // another page may have its slug by now
    if (pages.get(slug)?.id === id) pages.delete(slug);
    slugOf.delete(id);
  };

  const keep = (page: ServedPage): void => {
    const known = slugOf.get(page.id);
    if (known !== undefined && pages.get(known)?.changedAtMs === page.changedAtMs) return;
    forget(page.id);
    listed = undefined;
    pages.set(page.slug, page);
    slugOf.set(page.id, page.slug);
  };

  // a page that got a reserved slug before it was reserved is not served
  const cache = (page: LandingPage): void =>
    page.isOn && !page.isHidden && !isReservedSlug(page.slug) ? keep(servedPage(page)) : forget(page.id);

  const build = (page: ServedPage): BuiltPage => {
    const ready = built.get(page) ?? buildPage(page);
    built.set(page, ready);
    return ready;
  };

  const lookUp = batchedLookup(async (slugs) => {
    const found = await database.em().find(LandingPage, { slug: { $in: [...slugs] }, isOn: true, isHidden: false });
    for (const page of found) cache(page);
    return slugs.map((slug) => pages.get(slug) ?? null);
  });

  return {
    async find(slug) {
      const page = pages.get(slug) ?? (slugSchema.safeParse(slug).success ? await lookUp(slug) : null);
      return page ? build(page) : undefined;
    },
    byId(id) {
      const slug = slugOf.get(id);
      return slug === undefined ? undefined : pages.get(slug);
    },
    async refresh(now) {
      const since = lastTime && new Date(lastTime.getTime() - overlapMs);
      const wanted = since ? { changedAt: { $gte: since } } : { isOn: true, isHidden: false };
      const found = await database.em().find(LandingPage, wanted);
      if (!since) {
        // a restored page may have been switched off or deleted since
        const on = new Set(found.map(({ id }) => id));
        for (const id of [...slugOf.keys()].filter((one) => !on.has(one))) forget(id);
      }
      for (const page of found) cache(page);
      lastTime = now;
    },
    restore(restored) {
      for (const page of restored) if (!isReservedSlug(page.slug)) keep(page);
      isRestored = true;
    },
    all() {
      if (lastTime !== undefined) listed ??= [...pages.values()];
      return listed;
    },
    isRead: () => isRestored || lastTime !== undefined,
  };
};
