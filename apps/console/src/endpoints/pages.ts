import { Refusal, slugSchema } from '@leadback/domain';
import { type BodyReader, csvParts, imageBody, imageBytes, nothing } from '@leadback/server/http';
import { pageUrls, readDomainsOfPages } from '@leadback/core/domains/urls';
import { type Arrivals, readArrivals, readServerArrivals } from '@leadback/core/pages/arrivals';
import { uploadImage } from '@leadback/core/pages/images';
import { countUnusableClicks, findLastChanger, listPages } from '@leadback/core/pages/list-pages';
import {
  changePage,
  contentOf,
  contentVersion,
  createPage,
  deletePage,
  findPage,
  pageUrl,
  previewUrls,
  switchPage,
} from '@leadback/core/pages/pages';
import { snippetsAt } from '@leadback/core/pages/script';
import { renderPreview } from '@leadback/core/pages/render/page';
import { ActionRefused } from '@leadback/core/people/access';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import {
  type ArrivalsReply,
  arrivalsReply,
  type ChangePageReply,
  type ChangeScriptReply,
  changePageInput,
  changePageReply,
  changeScriptInput,
  changeScriptReply,
  type CreatePageReply,
  type CreateScriptReply,
  createScriptInput,
  createScriptReply,
  checkPageInput,
  checkPageReply,
  createPageInput,
  createPageReply,
  deletePageReply,
  type Page,
  page,
  pageDraft,
  pagesMax,
  pagesReply,
  previewFields,
  storeImageReply,
  switchPageInput,
  switchPageReply,
  unusableClicksReply,
} from '../contract/pages.ts';
import { checkDraft, draftOf, readDraft, readNewPage, readScript } from '../pages/pages.ts';
import { ofAccount, ofId } from './guard.ts';

const describe = async (
  { pool, secretsKeys, landingUrl, apiUrl }: Pick<ConsoleContext, 'pool' | 'secretsKeys' | 'landingUrl' | 'apiUrl'>,
  stored: Awaited<ReturnType<typeof findPage>>,
): Promise<Page> => {
  const content = contentOf(stored);
  const [url] = pageUrls(landingUrl, await readDomainsOfPages(pool, stored.account.id), stored);
  return {
    id: stored.id,
    slug: stored.ownSlug ?? stored.slug,
    url,
    previewUrl: previewUrls(secretsKeys, landingUrl)(stored.id),
    isOn: stored.isOn,
    isOfServer: stored.isOfServer,
    changedAt: stored.changedAt.toISOString(),
    draft: draftOf(content),
    version: contentVersion(content),
    script:
      content.mode === 'script'
        ? {
            origins: content.origins,
            waitsForConsent: content.waitsForConsent,
            ...snippetsAt(url, content.waitsForConsent),
          }
        : null,
    apiUrl: apiUrl ?? null,
  };
};

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('expected JSON');
    return z.NEVER;
  }
});

/** A form that `sameOrigin` has read. */
const readForm: BodyReader = {
  mediaType: 'application/x-www-form-urlencoded',
  refusals: ['unsupported-media-type'],
  handlers: [
    (request, _response, next) => {
      if (!request.is('application/x-www-form-urlencoded')) throw new Refusal('unsupported-media-type');
      next();
    },
  ],
};

async function* once(text: string) {
  yield text;
}

/** Undefined: another page has the slug. */
const unlessTaken = async <Created>(creating: Promise<Created>): Promise<Created | undefined> => {
  try {
    return await creating;
  } catch (error) {
    if (error instanceof ActionRefused && error.because === 'conflict') return undefined;
    throw error;
  }
};

const arrived = ({ last, leads }: Arrivals): ArrivalsReply => ({
  last: last && { ...last, at: last.at.toISOString() },
  leads,
});

export const pageEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/pages',
    input: nothing,
    reply: pagesReply,
    async handle({ scope }, { pool, landingUrl, apiUrl }) {
      const { items, hasMore } = await listPages(pool, scope, pagesMax);
      const domains = await readDomainsOfPages(pool, scope.accountId);
      const described = items.map(({ slug, ownSlug, changedAt, earlierHost, hostChangedAt, ...listed }) => ({
        ...listed,
        slug: ownSlug ?? slug,
        url: pageUrls(landingUrl, domains, { slug, ownSlug })[0],
        changedAt: changedAt.toISOString(),
        targetChange:
          earlierHost !== null && hostChangedAt !== null
            ? { hostBefore: earlierHost, at: hostChangedAt.toISOString() }
            : null,
      }));
      return { baseUrl: pageUrl(landingUrl, ''), apiUrl: apiUrl ?? null, items: described, hasMore };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages',
    input: createPageInput,
    reply: createPageReply,
    async handle({ input, scope: { accountId }, actor }, context): Promise<CreatePageReply> {
      const { em, landingUrl } = context;
      const { slug, content, problems } = readNewPage(input, landingUrl);
      if (problems.length > 0) return { outcome: 'invalid', problems };
      // a draft: visitors would see the standard text until its own is written
      const wanted = { actor, accountId, slug, content, landingUrl, isOn: false };
      const created = await unlessTaken(createPage(em(), wanted));
      return created ? { outcome: 'created', page: await describe(context, created) } : { outcome: 'slug-taken' };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages/script',
    input: createScriptInput,
    reply: createScriptReply,
    async handle({ input, scope: { accountId }, actor }, context): Promise<CreateScriptReply> {
      const { em, landingUrl } = context;
      const slug = slugSchema.safeParse(input.slug.trim());
      const { content, problems } = readScript(input, landingUrl);
      if (!slug.success) return { outcome: 'invalid', problems: ['slug', ...problems] };
      if (problems.length > 0) return { outcome: 'invalid', problems };
      const wanted = {
        actor,
        accountId,
        slug: slug.data,
        landingUrl,
        content: { mode: 'script', ...content },
      } as const;
      const created = await unlessTaken(createPage(em(), wanted));
      return created ? { outcome: 'created', page: await describe(context, created) } : { outcome: 'slug-taken' };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'post',
    path: '/accounts/:account/pages/check',
    changes: false,
    input: checkPageInput,
    reply: checkPageReply,
    handle: async ({ input: { draft } }, { landingUrl }) => ({ problems: checkDraft(draft, landingUrl).problems }),
  }),

  // renders a draft for a frame of the console: a form posts into the frame
  ofAccount('read', 'reads', {
    method: 'post',
    path: '/accounts/:account/pages/preview',
    changes: false,
    body: readForm,
    input: z.object({ body: z.object({ [previewFields.draft]: json.pipe(pageDraft) }) }),
    reply: csvParts,
    mediaType: 'text/html',
    async handle({ input: { body }, response }) {
      const { html, contentSecurityPolicy } = renderPreview(readDraft(body.draft).content);
      // for origins, and the sandbox has none
      response.removeHeader('Origin-Agent-Cluster');
      response.set({ 'Content-Security-Policy': contentSecurityPolicy, 'X-Frame-Options': 'SAMEORIGIN' });
      return once(html);
    },
  }),

  ofAccount('edit-pages', 'has-no-effect-yet', {
    method: 'post',
    path: '/accounts/:account/pages/images',
    body: imageBody,
    input: z.object({ body: imageBytes }),
    reply: storeImageReply,
    async handle({ input: { body: bytes }, scope: { accountId }, session, actor, response }, { em, limits }) {
      limits.upload(response, `person ${session.person.id}`);
      return uploadImage(em(), { actor, accountId, bytes });
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/pages/:id',
    input: ofId,
    reply: page,
    handle: async ({ input: { id }, scope: { accountId } }, context) =>
      describe(context, await findPage(context.em(), { id, accountId })),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/pages/:id/unusable-clicks',
    input: ofId,
    reply: unusableClicksReply,
    async handle({ input: { id }, scope }, { em, pool }) {
      const found = await findPage(em(), { id, accountId: scope.accountId });
      return { items: await countUnusableClicks(pool, scope, found.id) };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages/:id',
    input: changePageInput.extend(ofId.shape),
    reply: changePageReply,
    async handle({ input: { id, draft, version }, scope, actor }, context): Promise<ChangePageReply> {
      const { em, pool, landingUrl } = context;
      const { content, problems } = checkDraft(draft, landingUrl);
      if (problems.length > 0) return { outcome: 'invalid', problems };
      const { accountId } = scope;
      const changed = await changePage(em(), { actor, accountId, id, content, version, landingUrl });
      const described = await describe(context, changed.page);
      if (changed.outcome === 'changed') return { outcome: 'saved', page: described };
      const changedBy = (await findLastChanger(pool, scope, id)) ?? null;
      return { outcome: changed.outcome, page: described, changedBy };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages/:id/script',
    input: changeScriptInput.extend(ofId.shape),
    reply: changeScriptReply,
    async handle({ input: { id, ...typed }, scope: { accountId }, actor }, context): Promise<ChangeScriptReply> {
      const { em, landingUrl } = context;
      const { content, problems } = readScript(typed, landingUrl);
      if (problems.length > 0) return { outcome: 'invalid', problems };
      const changed = await changePage(em(), { actor, accountId, id, content, landingUrl });
      return { outcome: 'saved', page: await describe(context, changed.page) };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/pages/:id/arrivals',
    input: ofId,
    reply: arrivalsReply,
    async handle({ input: { id }, scope }, { em, pool }) {
      const found = await findPage(em(), { id, accountId: scope.accountId });
      return arrived(await readArrivals(pool, scope, found.id));
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/server-arrivals',
    input: nothing,
    reply: arrivalsReply,
    handle: async ({ scope }, { pool }) => arrived(await readServerArrivals(pool, scope)),
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages/:id/switch',
    input: switchPageInput.extend(ofId.shape),
    reply: switchPageReply,
    async handle({ input: { id, isOn }, scope: { accountId }, actor }, { em }) {
      const switched = await switchPage(em(), { id, isOn, actor, accountId });
      return { id: switched.id, isOn: switched.isOn };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/pages/:id/delete',
    input: ofId,
    reply: deletePageReply,
    async handle({ input: { id }, scope: { accountId }, actor }, { em }) {
      const deleted = await deletePage(em(), { id, actor, accountId });
      return { id: deleted.id, slug: deleted.slug };
    },
  }),
];
