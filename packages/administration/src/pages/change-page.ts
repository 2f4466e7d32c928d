import type { EntityManager, LandingPage } from '@leadback/db';
import type { PageContent } from '@leadback/domain';
import { audit } from '@leadback/people';
import { lockPage, type PageKey } from './find-page.ts';
import { contentOf, contentVersion, differencesOf } from './page-content.ts';
import { writeContent } from './write-content.ts';

interface PageChange extends PageKey {
  readonly actor: string;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  /** The fields that are given; null removes a value. */
  readonly content: Partial<PageContent>;
  /** Of the content that the author has seen. Default: whatever it is now. */
  readonly version?: string | undefined;
}

interface ChangedPage {
  /** `changed-meanwhile`: nothing was written, because the content is no longer that of `version`. */
  readonly outcome: 'changed' | 'changed-meanwhile';
  readonly page: LandingPage;
}

/** Changes the content of a page; landing apps show it within seconds. */
export const changePage = (
  em: EntityManager,
  { actor, content, version, landingUrl, ...key }: PageChange,
): Promise<ChangedPage> =>
  em.transactional(async (tx) => {
    const page = await lockPage(tx, key);
    const before = contentOf(page);
    if (version !== undefined && version !== contentVersion(before)) return { outcome: 'changed-meanwhile', page };
    // a target from before it was refused stays
    const { targetUrl, ...others } = content;
    const isNew = targetUrl !== undefined && targetUrl !== before.targetUrl;
    await writeContent(tx, page, { content: isNew ? content : others, landingUrl });
    const details = differencesOf(before, contentOf(page));
    if (Object.keys(details).length === 0) return { outcome: 'changed', page };
    await tx.flush();
    const accountId = page.account.id;
    await audit(tx, { actor, action: 'page.change', accountId, target: `page ${page.id}`, details });
    // a trigger has set the time of the change
    await tx.refresh(page);
    return { outcome: 'changed', page };
  });
