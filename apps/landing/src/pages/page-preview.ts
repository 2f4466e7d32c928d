import { type Database, LandingPage } from '@leadback/db';
import { pageOfPreviewCode, pagePreviewKeys, type SecretsKeys } from '@leadback/secrets';
import { type BuiltPage, buildPage } from './built-page.ts';
import { servedPage } from './served-page.ts';

export type FindPreview = (code: string) => Promise<BuiltPage | undefined>;

/** Loads the page of a preview code from the database, whether the page is on or off, unless it is hidden. */
export const pagePreview = (database: Database, secretsKeys: SecretsKeys): FindPreview => {
  const keys = pagePreviewKeys(secretsKeys);
  return async (code) => {
    const id = pageOfPreviewCode(keys, code);
    const page = id === undefined ? null : await database.em().findOne(LandingPage, { id, isHidden: false });
    return page ? buildPage(servedPage(page)) : undefined;
  };
};
