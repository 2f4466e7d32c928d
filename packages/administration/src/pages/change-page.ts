import type { EntityManager, LandingPage } from '@leadback/db';
import { tellOfChangedTarget } from '@leadback/delivery';
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
    const accountId = page.account.id;
    const target = `page ${page.id}`;
    const hosts = { before: new URL(before.targetUrl).host, after: new URL(page.targetUrl).host };
    const isElsewhere = hosts.before !== hosts.after;
    if (isElsewhere) tx.assign(page, { earlierHost: hosts.before, hostChangedAt: new Date() });
    await tx.flush();
    await audit(tx, { actor, action: 'page.change', accountId, target, details });
    if (isElsewhere) {
      await audit(tx, { actor, action: 'page.change-host', accountId, target, details: { host: hosts } });
      await tellOfChangedTarget(tx, { accountId, pageId: page.id, ...hosts });
    }
    // a trigger has set the time of the change
    await tx.refresh(page);
    return { outcome: 'changed', page };
  });
