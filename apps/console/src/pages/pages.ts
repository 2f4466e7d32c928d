import {
  changePage,
  contentOf,
  contentVersion,
  createPage,
  findPage,
  pageUrl,
  previewUrls,
  switchPage,
  targetProblem,
  uploadImage,
} from '@leadback/administration';
import type { Database, LandingPage } from '@leadback/db';
import { type AccountScope, ActionRefused } from '@leadback/people';
import { lastPageChanger, pageLister } from '@leadback/reports';
import type { SecretsKeys } from '@leadback/secrets';
import {
  type ChangePageReply,
  type CreatePageInput,
  type CreatePageReply,
  type Page,
  type PageDraft,
  pagesMax,
  type PagesReply,
} from '../contract/pages.ts';
import { readNewPage } from './new-page.ts';
import { draftOf, readDraft } from './page-draft.ts';
import { imageFinder } from './send-media.ts';

interface Change {
  readonly id: number;
  readonly draft: PageDraft;
  /** Of the content that the author has seen. */
  readonly version: string;
}

interface PagesOptions {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
}

/** The pages of an account. `actor`: the email of the person. */
export const pages = ({ database: { em, pool }, secretsKeys, landingUrl }: PagesOptions) => {
  const previewUrlOf = previewUrls(secretsKeys, landingUrl);
  const checked = (draft: PageDraft) => {
    const { content, problems } = readDraft(draft);
    const isLocal = content.targetUrl !== '' && targetProblem(content.targetUrl, landingUrl) !== undefined;
    return { content, problems: isLocal ? [...problems, 'targetUrl' as const] : problems };
  };
  const list = pageLister(pool);
  const findChanger = lastPageChanger(pool);
  const describe = (page: LandingPage): Page => {
    const content = contentOf(page);
    return {
      id: page.id,
      slug: page.slug,
      url: pageUrl(landingUrl, page.slug),
      previewUrl: previewUrlOf(page.id),
      isOn: page.isOn,
      changedAt: page.changedAt.toISOString(),
      draft: draftOf(content),
      version: contentVersion(content),
    };
  };
  return {
    async list(scope: AccountScope): Promise<PagesReply> {
      const { items, hasMore } = await list(scope, pagesMax);
      const described = items.map(({ changedAt, earlierHost, hostChangedAt, ...page }) => ({
        ...page,
        url: pageUrl(landingUrl, page.slug),
        changedAt: changedAt.toISOString(),
        targetChange:
          earlierHost !== null && hostChangedAt !== null
            ? { hostBefore: earlierHost, at: hostChangedAt.toISOString() }
            : null,
      }));
      return { baseUrl: pageUrl(landingUrl, ''), items: described, hasMore };
    },
    read: async ({ accountId }: AccountScope, id: number): Promise<Page> =>
      describe(await findPage(em(), { id, accountId })),
    /** The fields of a draft that cannot be saved. */
    check: (draft: PageDraft) => checked(draft).problems,
    async create({ accountId }: AccountScope, actor: string, typed: CreatePageInput): Promise<CreatePageReply> {
      const { slug, content, problems } = readNewPage(typed, landingUrl);
      if (problems.length > 0) return { outcome: 'invalid', problems };
      try {
        return {
          outcome: 'created',
          page: describe(await createPage(em(), { actor, accountId, slug, content, landingUrl })),
        };
      } catch (error) {
        if (error instanceof ActionRefused && error.because === 'conflict') return { outcome: 'slug-taken' };
        throw error;
      }
    },
    async change(scope: AccountScope, actor: string, { id, draft, version }: Change): Promise<ChangePageReply> {
      const { content, problems } = checked(draft);
      if (problems.length > 0) return { outcome: 'invalid', problems };
      const { accountId } = scope;
      const { outcome, page } = await changePage(em(), { actor, accountId, id, content, version, landingUrl });
      if (outcome === 'changed') return { outcome: 'saved', page: describe(page) };
      return { outcome, page: describe(page), changedBy: (await findChanger(scope, id)) ?? null };
    },
    async switch({ accountId }: AccountScope, actor: string, on: { readonly id: number; readonly isOn: boolean }) {
      const { id, isOn } = await switchPage(em(), { ...on, actor, accountId });
      return { id, isOn };
    },
    uploadImage: ({ accountId }: AccountScope, actor: string, bytes: Buffer) =>
      uploadImage(em(), { actor, accountId, bytes }),
    findImage: imageFinder(em),
  };
};

export type Pages = ReturnType<typeof pages>;
