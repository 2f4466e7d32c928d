import { LandingPage } from '@leadback/db';
import { reservedSlugs } from '@leadback/domain';
import type { Check } from './check.ts';
import { ok, warn } from './finding.ts';

const check = 'landing pages';

/** Finds pages from before their path was reserved. */
export const checkLandingPages: Check = async ({ em }) => {
  const found = await em.find(LandingPage, { slug: { $in: [...reservedSlugs] }, isOn: true });
  if (found.length === 0) return [ok(check, 'none has a reserved path')];
  return found.map(({ id, slug, account }) =>
    warn(
      check,
      `page ${id} of account ${account.id} is not served: the path /${slug} is that of the page on which visitors see their data`,
      `Create a page with another slug, let the ads lead to it, then run \`page off ${id}\`.`,
    ),
  );
};
