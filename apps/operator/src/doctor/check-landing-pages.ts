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
      `page ${id} of account ${account.id} is not served: Leadback or its load balancer uses the path /${slug}`,
      `Run \`page rename ${id} --slug …\`, and let the ads lead to the new URL.`,
    ),
  );
};
