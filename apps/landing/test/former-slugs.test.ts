import { createPage, deletePage, releaseSlugs, renamePage } from '@leadback/core/pages/pages';
import type { LandingPage } from '@leadback/db';
import { eventually, givenAccount, hiddenFieldsIn, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const actor = 'test';

describe('a page with another slug', async () => {
  const landing = await shared(givenLanding());

  const rename = ({ id }: LandingPage, slug = unique('new')) => renamePage(landing.database.em(), { id, actor, slug });
  const isServed = (slug: string, status: number) =>
    eventually(async () => expect((await landing.visit(`/${slug}`)).status).toBe(status));
  const create = (page: LandingPage, slug: string, accountId = page.account.id) =>
    createPage(landing.database.em(), {
      actor,
      accountId,
      slug,
      landingUrl: 'https://go.example',
      content: { targetUrl: 'https://other.example/' },
    });

  it('is found at each former address, with all that the click said, in the browser of a visitor and of a link preview', async () => {
    const page = await landing.givenPage({ title: 'Here' });
    const second = unique('second');
    await rename(page, second);
    const { slug } = await rename(page);
    await isServed(slug, 200);
    const query = '?gclid=G1&utm_source=a%26b&other=%C3%B1&x=1&x=2&y';
    for (const former of [page.slug, second]) {
      for (const headers of [{}, { 'user-agent': 'facebookexternalhit/1.1' }]) {
        const { status, location } = await landing.visit(`/${former}${query}`, { headers });
        expect([status, location]).toEqual([302, `/${slug}${query}`]);
      }
      const { location } = await landing.visit(`/${former.toUpperCase()}/&gclid=G`);
      expect(location).toBe(`/${slug}?gclid=G`);
    }
    const lead = await landing.leadOf(await landing.submit(`/${slug}${query}`));
    expect(lead).toMatchObject({ clickParameters: { gclid: 'G1', utm_source: 'a&b' }, landingPage: { id: page.id } });
  });

  it('takes a form that a visitor opened at the former address', async () => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const { html } = await landing.visit(`/${page.slug}?gclid=G`);
    const { slug } = await rename(page);
    await isServed(slug, 200);
    const form = { ...hiddenFieldsIn(html), email: 'ada@example.com' };
    const sent = await landing.visit(`/${page.slug}?gclid=G`, { form });
    expect(sent.status).toBe(303);
    expect(await landing.leadOf(sent)).toMatchObject({ clickParameters: { gclid: 'G' } });
  });

  it('redirects from a former address of a direct page to its target at once, with the lead', async () => {
    const page = await landing.givenPage({ mode: 'direct', targetUrl: 'https://shop.example/offer' });
    const { slug } = await rename(page);
    await isServed(slug, 302);
    const visited = await landing.visit(`/${page.slug}?gclid=G`);
    expect([visited.status, new URL(visited.location ?? '').origin]).toEqual([302, 'https://shop.example']);
    expect(await landing.leadOf(visited)).toMatchObject({ clickParameters: { gclid: 'G' } });
  });

  it('is found at its former address by an app that has not heard of the page yet', async () => {
    const page = await landing.givenPage();
    const { slug } = await rename(page);
    expect((await landing.visit(`/${page.slug}`)).location).toBe(`/${slug}`);
  });

  it('keeps each former path on a domain of its account, also one that another account has elsewhere', async () => {
    const em = () => landing.database.em();
    const taken = await landing.givenPage();
    const page = await landing.givenPage();
    const accountId = page.account.id;
    const name = `${unique('go')}.example`.toLowerCase();
    await landing.database.pool.query('insert into own_domain (account_id, name) values ($1, $2)', [accountId, name]);
    const own = await rename(page, taken.slug);
    expect(own.ownSlug).toBe(taken.slug);
    const last = await rename(page);
    const at = (slug: string) => landing.visit(`/${slug}?gclid=G`, { headers: { host: name } });
    await eventually(async () => expect((await at(taken.slug)).location).toBeDefined());
    for (const former of [page.slug, taken.slug]) {
      const { status, location } = await at(former);
      expect([status, location]).toEqual([302, `/${last.slug}?gclid=G`]);
    }
    expect((await landing.visit(`/${taken.slug}`)).status).toBe(200);
    await expect(create(page, taken.slug)).rejects.toThrow('is taken');
    await releaseSlugs(em(), { id: page.id, actor });
    await eventually(async () => expect((await at(taken.slug)).status).toBe(404));
    expect((await create(page, taken.slug)).ownSlug).toBe(taken.slug);
  });

  it('can have its former slug again, and is shown there', async () => {
    const page = await landing.givenPage();
    const { slug: before } = page;
    const { slug } = await rename(page);
    await rename(page, before);
    await eventually(async () => expect((await landing.visit(`/${slug}`)).location).toBe(`/${before}`));
    expect((await landing.visit(`/${before}`)).status).toBe(200);
  });

  it.each(['page', 'direct'] as const)('answers 404 everywhere once it is deleted: %s', async (mode) => {
    const page = await landing.givenPage({ mode });
    const { slug: former } = page;
    const { slug, id } = await rename(page);
    await isServed(slug, mode === 'page' ? 200 : 302);
    await deletePage(landing.database.em(), { id, actor });
    await isServed(slug, 404);
    expect((await landing.visit(`/${former}`)).status).toBe(404);
  });

  it('leaves its address to a new page of its account once it is deleted, and to others once it is given up', async () => {
    const em = () => landing.database.em();
    const page = await landing.givenPage();
    const other = await givenAccount(em());
    await deletePage(em(), { id: page.id, actor });
    await expect(create(page, page.slug, other.id)).rejects.toThrow(`slug: ${page.slug} is taken`);
    const own = await create(page, page.slug);
    await isServed(page.slug, 200);
    expect(await releaseSlugs(em(), { id: page.id, actor })).toEqual([]);
    await deletePage(em(), { id: own.id, actor });
    await isServed(page.slug, 404);
    expect(await releaseSlugs(em(), { id: own.id, actor })).toEqual([page.slug]);
    await create(page, page.slug, other.id);
    await isServed(page.slug, 200);
  });

  it('no longer answers at an address that was given up', async () => {
    const page = await landing.givenPage();
    const { slug } = await rename(page);
    await isServed(page.slug, 302);
    expect(await releaseSlugs(landing.database.em(), { id: page.id, actor })).toEqual([page.slug]);
    await isServed(page.slug, 404);
    await isServed(slug, 200);
  });

  it.each(['another account', 'its own account'])(
    'never loses a former slug to a page of %s, in a race either',
    async (whose) => {
      const page = await landing.givenPage();
      const account = whose === 'its own account' ? page.account : await givenAccount(landing.database.em());
      const rivals = await Promise.allSettled([
        ...Array.from({ length: 4 }, () => create(page, page.slug, account.id)),
        rename(page),
        ...Array.from({ length: 4 }, () => create(page, page.slug, account.id)),
      ]);
      expect(rivals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const rival = await create(page, unique('rival'), account.id);
      await expect(rename(rival, page.slug)).rejects.toThrow(`slug: ${page.slug} is taken; choose another`);
    },
  );
});
