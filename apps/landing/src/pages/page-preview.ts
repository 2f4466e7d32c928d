import { type Database, LandingPage } from '@leadback/db';
import { pageOfPreviewCode, pagePreviewKey } from '@leadback/domain';
import { type BuiltPage, buildPage } from './built-page.ts';

export type FindPreview = (code: string) => Promise<BuiltPage | undefined>;

/** Finds the page that a preview shows, as it is in the database now, switched on or not. */
export const pagePreview = (database: Database, secretsKey: Buffer): FindPreview => {
  const key = pagePreviewKey(secretsKey);
  return async (code) => {
    const id = pageOfPreviewCode(key, code);
    const page = id === undefined ? null : await database.em().findOne(LandingPage, { id });
    return page ? buildPage(page) : undefined;
  };
};
