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
} from '@leadback/core/pages/pages';
import { uploadImage } from '@leadback/core/pages/images';
import type { Database, LandingPage } from '@leadback/db';
import {
  isImageName,
  type PageContent,
  type PageImage,
  pageFieldSchemas,
  slugSchema,
  webAddressSchema,
} from '@leadback/domain';
import { type AccountScope, ActionRefused } from '@leadback/core/people/access';
import { findLastChanger, listPages } from '@leadback/core/pages/list-pages';
import type { SecretsKeys } from '@leadback/domain/keys';
import type { z } from 'zod';
import {
  type ChangePageReply,
  type CreatePageInput,
  type CreatePageReply,
  type DraftField,
  type Page,
  type PageDraft,
  type PageProblem,
  type PagesReply,
  pagesMax,
} from '../contract/pages.ts';
import { imageFinder } from './send-media.ts';

interface ReadNewPage {
  readonly slug: string;
  readonly content: Pick<PageContent, 'targetUrl' | 'language'>;
  /** What the two above cannot be created with. */
  readonly problems: PageProblem[];
}

/** `landingUrl`: the public URL of apps/landing. */
const readNewPage = (typed: CreatePageInput, landingUrl: string): ReadNewPage => {
  const slug = slugSchema.safeParse(typed.slug.trim());
  const targetUrl = pageFieldSchemas.targetUrl.safeParse(typed.targetUrl.trim());
  const problems: PageProblem[] = [];
  if (!slug.success) problems.push('slug');
  if (!targetUrl.success || targetProblem(targetUrl.data, landingUrl) !== undefined) problems.push('targetUrl');
  return {
    slug: slug.data ?? '',
    content: { targetUrl: targetUrl.data ?? '', language: typed.language },
    problems,
  };
};

type DraftImage = PageDraft['logo'];

const uploaded = '/media/';
const isUploaded = (src: string) => src.startsWith(uploaded) && isImageName(src.slice(uploaded.length));

/** Content as it is typed. */
const draftOf = (content: PageContent): PageDraft => ({
  ...content,
  askedFields: [...content.askedFields],
  title: content.title ?? '',
  text: content.text ?? '',
  buttonLabel: content.buttonLabel ?? '',
  accentColor: content.accentColor ?? '',
  consentText: content.consentText ?? '',
  privacyUrl: content.privacyUrl ?? '',
});

interface ReadDraft {
  /** Without the values that have a problem. */
  readonly content: PageContent;
  readonly problems: DraftField[];
}

export const readDraft = (draft: PageDraft): ReadDraft => {
  const problems: DraftField[] = [];
  const read = <Value>(field: DraftField, schema: z.ZodType<Value>, typed: string): Value | null => {
    if (typed.trim() === '') return null;
    const { success, data } = schema.safeParse(typed);
    if (!success) problems.push(field);
    return success ? data : null;
  };
  const image = (field: 'logo' | 'hero', typed: DraftImage): PageImage | null => {
    if (!typed) return null;
    const src = isUploaded(typed.src) ? typed.src : read(field, webAddressSchema, typed.src.trim());
    const alt = typed.alt === '' ? '' : read(field, pageFieldSchemas.alt, typed.alt);
    if (src === null) problems.push(field);
    return src === null ? null : { ...typed, src, alt: alt ?? '' };
  };
  const targetUrl = read('targetUrl', pageFieldSchemas.targetUrl, draft.targetUrl);
  if (targetUrl === null) problems.push('targetUrl');
  const content = {
    targetUrl: targetUrl ?? '',
    mode: draft.mode,
    title: read('title', pageFieldSchemas.title, draft.title),
    text: read('text', pageFieldSchemas.text, draft.text),
    buttonLabel: read('buttonLabel', pageFieldSchemas.buttonLabel, draft.buttonLabel),
    language: draft.language,
    accentColor: read('accentColor', pageFieldSchemas.accentColor, draft.accentColor.trim()),
    logo: image('logo', draft.logo),
    hero: image('hero', draft.hero),
    askedFields: pageFieldSchemas.askedFields.parse(draft.askedFields),
    consentText: read('consentText', pageFieldSchemas.consentText, draft.consentText),
    consentScope: draft.consentScope,
    privacyUrl: read('privacyUrl', pageFieldSchemas.privacyUrl, draft.privacyUrl.trim()),
  };
  // a direct page is never shown: visitors cannot agree
  if (content.mode === 'direct' && content.consentText !== null) problems.push('consentText');
  return { content, problems: [...new Set(problems)] };
};

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
      const { items, hasMore } = await listPages(pool, scope, pagesMax);
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
      return { outcome, page: describe(page), changedBy: (await findLastChanger(pool, scope, id)) ?? null };
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
