import { repeat } from '@leadback/runtime';
import type { LandingEvents } from '../events.ts';
import type { PageCache } from './page-cache.ts';
import type { PageFile } from './page-file.ts';
import type { ServedPage } from './served-page.ts';

export interface KeepPagesOptions {
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
  let saved: { readonly list: readonly ServedPage[]; readonly atMs: number } | undefined;

  const save = async (): Promise<void> => {
    const list = pages.all();
    const now = performance.now();
    if (list === undefined || (list === saved?.list && now - saved.atMs < savedAgainMs)) return;
    await file.save(list);
    saved = { list, atMs: now };
  };

  try {
    const found = await file.load();
    if (found) {
      pages.restore(found.pages);
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
