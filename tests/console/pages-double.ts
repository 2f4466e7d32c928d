import { renderPreview } from '@leadback/landing-page';
import express, { type Router } from 'express';
import {
  type CheckPageReply,
  checkPageInput,
  type ListedPage,
  type Page,
  type PageDraft,
  type PagesReply,
  pageDraft,
} from '../../apps/console/src/contract/pages.ts';
import { readDraft } from '../../apps/console/src/pages/pages.ts';

const baseUrl = 'https://go.example.com/';
const hourMs = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();

const listed = (id: number, slug: string, given: Partial<ListedPage>): ListedPage => ({
  id,
  slug,
  url: baseUrl + slug,
  mode: 'page',
  isOn: true,
  title: null,
  targetUrl: `https://shop.example.com/${slug}`,
  leads: 0,
  targetChange: null,
  changedAt: ago(id * id * 20),
  ...given,
});

const items: readonly ListedPage[] = [
  listed(1, 'black-friday', { title: 'Everything at half price until Sunday', leads: 18_412 }),
  listed(2, 'summer-sale', { title: 'Sandals for every day of the summer', leads: 2_930 }),
  listed(3, 'app-install', { mode: 'direct', leads: 911 }),
  listed(4, 'newsletter', { title: 'News of the season, once a month', leads: 64 }),
  listed(5, 'mothers-day-2025-buenos-aires-and-surroundings', { isOn: false, title: 'For the best of all mothers' }),
];

const draft: PageDraft = {
  targetUrl: 'https://shop.example.com/black-friday',
  mode: 'page',
  title: 'Everything at half price until Sunday',
  text: 'Leave us your email and we send you the **code** at once.\n\n- free delivery\n- 30 days to return',
  buttonLabel: 'Get my code',
  language: 'en',
  accentColor: '#0b6b3a',
  logo: null,
  hero: null,
  askedFields: ['name', 'email'],
  consentText: 'I agree that my data is shared with advertising platforms.',
  consentScope: 'sharing',
  privacyUrl: 'https://shop.example.com/privacy',
};

const page = ({ id, slug, url, isOn, changedAt, mode }: ListedPage): Page => ({
  id,
  slug,
  url,
  previewUrl: `${baseUrl}preview/of-the-double`,
  isOn,
  changedAt,
  draft: { ...draft, mode, ...(mode === 'direct' && { consentText: '' }) },
  version: 'of the double',
});

/** The pages of an account: account 2 has none. */
export const pagesDouble = (): Router => {
  const router = express.Router({ mergeParams: true });
  router.get('/:account/pages', (request, response) => {
    const own = request.params.account === '2' ? [] : [...items];
    response.json({ baseUrl, items: own, hasMore: false } satisfies PagesReply);
  });
  router.post('/:account/pages/check', (request, response) => {
    const { problems } = readDraft(checkPageInput.parse(request.body).draft);
    response.json({ problems } satisfies CheckPageReply);
  });
  router.post('/:account/pages/preview', (request, response) => {
    const { draft: typed } = Object(request.body);
    const { html, contentSecurityPolicy } = renderPreview(readDraft(pageDraft.parse(JSON.parse(typed))).content);
    response.removeHeader('Origin-Agent-Cluster');
    response.set({ 'Content-Security-Policy': contentSecurityPolicy, 'X-Frame-Options': 'SAMEORIGIN' });
    response.type('html').send(html);
  });
  router.get('/:account/pages/:id', (request, response) => {
    const found = items.find(({ id }) => id === Number(request.params.id));
    response.json(page(found ?? listed(9, 'missing', {})));
  });
  return router;
};
