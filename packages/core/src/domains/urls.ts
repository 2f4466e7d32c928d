import { type Queryable, statement } from '@leadback/db';
import type { AccountId, DomainState } from '@leadback/domain';
import { pageUrl } from '../pages/pages.ts';

interface DomainOfPages {
  readonly name: string;
  readonly state: DomainState;
}

const read = statement<DomainOfPages>(
  'select name, state from own_domain where account_id = $1 and removed_at is null order by created_at, id',
);

/** The domains on which the pages of an account are, the oldest first. */
export const readDomainsOfPages = (on: Queryable, accountId: AccountId): Promise<DomainOfPages[]> =>
  read(on, [accountId]);

const onDomain = (landingUrl: string, name: string): string => {
  const url = new URL(landingUrl);
  url.hostname = name;
  return url.href;
};

/** All URLs of a page, the one to use first: that of a domain which leads to landing, else that of the installation. */
export const pageUrls = (
  landingUrl: string,
  domains: readonly DomainOfPages[],
  { slug, ownSlug }: { readonly slug: string; readonly ownSlug?: string | null | undefined },
): readonly [string, ...string[]] => {
  const urlsOf = (isWanted: (state: DomainState) => boolean) =>
    domains
      .filter(({ state }) => isWanted(state))
      .map(({ name }) => pageUrl(onDomain(landingUrl, name), ownSlug ?? slug));
  const [first, ...others] = urlsOf((state) => state === 'active');
  const rest = urlsOf((state) => state !== 'active');
  const ofInstallation = pageUrl(landingUrl, slug);
  return first === undefined ? [ofInstallation, ...rest] : [first, ...others, ofInstallation, ...rest];
};
