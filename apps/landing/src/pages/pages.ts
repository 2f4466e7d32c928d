import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batch } from '@leadback/db/batch';
import { isDatabaseUnavailable, type Database, LandingPage, LandingImage, LandingSlug, statement } from '@leadback/db';
import { isReservedSlug, slugSchema, isImageName } from '@leadback/domain';
import { z } from 'zod';
import { repeat } from '@leadback/server/app';
import { LRUCache } from 'lru-cache';
import { type BuiltPage, buildPage, type ServedPage, servedPage, servedPageSchema } from './served-page.ts';
import { type DomainCache, domainCache, type ServedDomain, servedDomainSchema } from './domains.ts';
import { type Disk, errorCode, writeAtomically } from '../leads/disk.ts';
import type { LandingEvents } from '../events.ts';

/** What landing reads as entities, and not by statements. */
export const entities = [LandingPage, LandingImage, LandingSlug];

const namesMax = 100;

/**
 * Batches concurrent lookups: `find` must return one result per name, in order. Runs one query at a time, so that a
 * flood of unknown names cannot exhaust the database.
 */
const batchedLookup = <Found>(
  find: (names: readonly string[]) => Promise<readonly (Found | null)[]>,
): ((name: string) => Promise<Found | null>) =>
  batch(find, {
    itemsMax: namesMax,
    runsMax: 1,
    failureScope: (error) => (isDatabaseUnavailable(error) ? 'all' : 'batch'),
  });

/** All pages, and the domains of accounts. */
interface Served {
  readonly pages: readonly ServedPage[];
  readonly domains: readonly ServedDomain[];
}

/** All pages that are on, as of the last refresh. */
export interface PageCache {
  /**
   * Returns the page that has a slug, or had it, cached; or loads one of the host of the installation. Throws if it is not cached and
   * PostgreSQL is unavailable. `host`: the header. At a domain of an account, its pages alone are found, by their slugs there.
   */
  readonly find: (slug: string, host: string | undefined) => Promise<BuiltPage | undefined>;
  readonly domains: Pick<DomainCache, 'has'>;
  /** A cached page. */
  readonly byId: (id: number) => ServedPage | undefined;
  /** Loads the pages and domains changed since the last refresh. `now` is the time of the database clock. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Fills the cache with what was served in an earlier run; the first refresh replaces it. */
  readonly restore: (served: Served) => void;
  /** Undefined before the first refresh. The lists are others once something has changed. */
  readonly all: () => Served | undefined;
  /** Whether there are pages to serve: after the first refresh, or from an earlier run. */
  readonly isRead: () => boolean;
}

// A change has the start time of its transaction and may become visible after later ones.
const overlapMs = 10_000;

const findFormerSlugs = statement<{ id: number; formerSlugs: string[]; formerOwnSlugs: string[] }>(
  `select p.id, coalesce(array_agg(s.slug order by s.slug) filter (where s.scope = 0), '{}') as "formerSlugs",
          coalesce(array_agg(s.slug order by s.slug) filter (where s.scope <> 0), '{}') as "formerOwnSlugs"
   from landing_page p
   join landing_slug s on s.landing_page_id = p.id and s.slug <> case s.scope when 0 then p.slug else coalesce(p.own_slug, p.slug) end
   where p.id = any($1::bigint[]) group by p.id`,
);

const slugsOf = ({ slug, formerSlugs }: ServedPage): string[] => [slug, ...formerSlugs];
const ownKey = (accountId: number, slug: string): string => `${accountId} ${slug}`;
const ownKeysOf = ({ accountId, ownSlug, formerOwnSlugs }: ServedPage): string[] =>
  [...(ownSlug === null ? [] : [ownSlug]), ...formerOwnSlugs].map((slug) => ownKey(accountId, slug));

export const pageCache = (database: Database): PageCache => {
  const pages = new Map<string, ServedPage>();
  const built = new WeakMap<ServedPage, BuiltPage>();
  const byId = new Map<number, ServedPage>();
  // by slugs on the domains of their account that they have not, or no longer, on the host of the installation
  const byOwnSlug = new Map<string, ServedPage>();
  const domains = domainCache(database);
  let lastTime: Date | undefined;
  let isRestored = false;
  let listed: readonly ServedPage[] | undefined;

  const forget = (id: number): void => {
    const page = byId.get(id);
    if (page === undefined) return;
    listed = undefined;
    byId.delete(id);
    // another page may have its slug by now
    for (const slug of slugsOf(page)) if (pages.get(slug) === page) pages.delete(slug);
    for (const key of ownKeysOf(page)) if (byOwnSlug.get(key) === page) byOwnSlug.delete(key);
  };

  const keep = (page: ServedPage): void => {
    if (byId.get(page.id)?.changedAtMs === page.changedAtMs) return;
    forget(page.id);
    listed = undefined;
    byId.set(page.id, page);
    for (const slug of slugsOf(page)) if (!isReservedSlug(slug)) pages.set(slug, page);
    for (const key of ownKeysOf(page)) byOwnSlug.set(key, page);
  };

  /** The page of an account that has this slug on its domains, or had it. */
  const ofAccount = (accountId: number, slug: string): ServedPage | undefined => {
    const page = pages.get(slug);
    const isIts = page?.accountId === accountId && page.ownSlug === null && page.slug === slug;
    return isIts ? page : byOwnSlug.get(ownKey(accountId, slug));
  };

  const cache = async (found: readonly LandingPage[], { isAll = false } = {}): Promise<void> => {
    // at most of the refreshes, nothing has changed
    const former = found.length === 0 ? [] : await findFormerSlugs(database.pool, [found.map(({ id }) => id)]);
    // a restored page may have been switched off or deleted since, and an older version has saved less of it
    if (isAll) for (const id of byId.keys()) forget(id);
    const formerOf = new Map(former.map((slugs) => [slugs.id, slugs]));
    for (const page of found) {
      // a page that got a reserved slug before it was reserved is not served
      const isServed = page.isOn && !page.isHidden && !isReservedSlug(page.slug);
      if (isServed) keep(servedPage(page, formerOf.get(page.id)));
      else forget(page.id);
    }
  };

  const build = (page: ServedPage): BuiltPage => {
    const ready = built.get(page) ?? buildPage(page);
    built.set(page, ready);
    return ready;
  };

  const lookUp = batchedLookup(async (slugs) => {
    const isShown = { isOn: true, isHidden: false };
    const found = await database
      .em()
      .find(LandingSlug, { scope: 0, slug: { $in: [...slugs] }, page: isShown }, { populate: ['page'] });
    await cache(found.flatMap(({ page }) => (page ? [page.$] : [])));
    return slugs.map((slug) => pages.get(slug) ?? null);
  });

  return {
    async find(slug, host) {
      const domain = domains.at(host);
      if (domain !== undefined) {
        const page = ofAccount(domain.accountId, slug);
        return page && { ...build(page), domain: domain.name };
      }
      const page = pages.get(slug) ?? (slugSchema.safeParse(slug).success ? await lookUp(slug) : null);
      return page ? build(page) : undefined;
    },
    domains,
    byId: (id) => byId.get(id),
    async refresh(now) {
      const since = lastTime && new Date(lastTime.getTime() - overlapMs);
      const wanted = since ? { changedAt: { $gte: since } } : { isOn: true, isHidden: false };
      const found = await database.em().find(LandingPage, wanted);
      await cache(found, { isAll: since === undefined });
      await domains.refresh(since);
      lastTime = now;
    },
    restore(restored) {
      for (const page of restored.pages) if (!isReservedSlug(page.slug)) keep(page);
      domains.restore(restored.domains);
      isRestored = true;
    },
    all() {
      if (lastTime === undefined) return undefined;
      listed ??= [...byId.values()];
      return { pages: listed, domains: domains.all() };
    },
    isRead: () => isRestored || lastTime !== undefined,
  };
};

export const pageFileName = 'pages';

// A running app writes the file every hour. The pages of an older one say what nobody has checked for a week.
const ageMaxMs = 7 * 24 * 3_600_000;

const contentSchema = z.object({
  // another version of landing may have other fields
  version: z.literal(1),
  savedAt: z.iso.datetime(),
  pages: z.array(servedPageSchema),
  // an older version saves none
  domains: z.array(servedDomainSchema).default([]),
});

interface SavedPages extends Served {
  readonly savedAt: string;
}

/** The pages of the last run, beside the buffered leads. */
interface PageFile {
  /** Returns undefined if there is no file. Throws if it is damaged, too old, or not readable in time. */
  load(): Promise<SavedPages | undefined>;
  save(served: Served): Promise<void>;
}

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

const parse = (file: string): SavedPages => {
  const [expected, content = ''] = file.split('\n');
  if (checksum(content) !== expected) throw new Error('the file of pages is damaged');
  const saved = contentSchema.parse(JSON.parse(content));
  const ageMs = Date.now() - Date.parse(saved.savedAt);
  if (ageMs > ageMaxMs) throw new Error(`the file of pages is too old: ${saved.savedAt}`);
  return saved;
};

/** Several instances may share the folder: each has the same pages. */
export const pageFile = (folder: string, disk: Disk): PageFile => ({
  async load() {
    try {
      return parse(await disk(() => readFile(join(folder, pageFileName), 'utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  async save({ pages, domains }) {
    const content = JSON.stringify({ version: 1, savedAt: new Date().toISOString(), pages, domains });
    await disk(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomically(folder, pageFileName, `${checksum(content)}\n${content}\n`);
    });
  },
});

interface KeepPagesOptions {
  readonly pages: Pick<PageCache, 'all' | 'restore'>;
  readonly file: PageFile;
  readonly events: Pick<LandingEvents, 'pagesRestored' | 'pageFileIgnored' | 'pageFileNotSaved'>;
}

const everyMs = 1_000;
const savedAgainMs = 3_600_000;

/**
 * Restores the pages of the last run, so that visitors are served although PostgreSQL is unavailable at the start. Saves
 * them after a change, every hour, and when disposed.
 */
export const keepPages = async ({ pages, file, events }: KeepPagesOptions): Promise<AsyncDisposable> => {
  let saved: Partial<Served> & { readonly atMs: number } = { atMs: 0 };

  const save = async (): Promise<void> => {
    const served = pages.all();
    const now = performance.now();
    if (served === undefined) return;
    const isSaved = saved.pages === served.pages && saved.domains === served.domains;
    if (isSaved && now - saved.atMs < savedAgainMs) return;
    await file.save(served);
    saved = { ...served, atMs: now };
  };

  try {
    const found = await file.load();
    if (found) {
      pages.restore(found);
      events.pagesRestored(found.pages.length, found.savedAt);
    }
  } catch (error) {
    events.pageFileIgnored(error);
  }
  const saving = repeat({
    everyMs,
    round: async () => {
      await save();
      return false;
    },
    onFailure: events.pageFileNotSaved,
  });
  return {
    async [Symbol.asyncDispose]() {
      await saving[Symbol.asyncDispose]();
      await save().catch(events.pageFileNotSaved);
    },
  };
};

const bytesMax = 64 * 1024 * 1024;

/** Holds uploaded images, and returns a function that finds one. Images never change, so those in use stay in memory, up to 64 MiB. */
export const imageCache = (database: Database) => {
  const images = new LRUCache<string, LandingImage>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const lookUp = batchedLookup(async (names) => {
    const found = await database.em().find(LandingImage, { name: { $in: [...names] } });
    for (const image of found) images.set(image.name, image);
    return names.map((name) => images.get(name) ?? null);
  });
  return async (name: string): Promise<LandingImage | undefined> =>
    images.get(name) ?? (isImageName(name) ? ((await lookUp(name)) ?? undefined) : undefined);
};

const charactersMax = 256 * 1024;

/**
 * Caches what `compute` finds, by a key that decides it, such as a header. Nearly all visitors send one of a few; the
 * others, which anybody can invent, take up to 256 KiB.
 */
export const cachedBy = (): ((key: string, compute: () => boolean) => boolean) => {
  const known = new LRUCache<string, boolean>({
    maxSize: charactersMax,
    sizeCalculation: (_, key) => key.length + 1,
  });
  return (key, compute) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute();
    known.set(key, computed);
    return computed;
  };
};
