import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renamePage } from '@leadback/core/pages/pages';
import { LandingPage, Lead } from '@leadback/db';
import { eventually, shared, unique } from '@leadback/testing';
import { describe, expect, inject, it } from 'vitest';
import { pageFileName } from '../src/pages/pages.ts';
import { servedPageSchema } from '../src/pages/served-page.ts';
import { givenLanding, referenceIn } from './given-landing.ts';

describe('a landing app that starts while PostgreSQL is unavailable', async () => {
  const earlier = await shared(givenLanding());

  const filePath = () => join(earlier.spoolFolder, pageFileName);
  const read = async () => (await readFile(filePath(), 'utf8')).split('\n')[1] ?? '';
  const saved = (slug: string) => eventually(async () => expect(await read()).toContain(`"${slug}"`));
  const givenPage = async (input = {}) => {
    const given = await earlier.givenPage(input);
    await saved(given.slug);
    return given;
  };
  const page = await givenPage();
  /** In a folder of its own: the earlier app still writes to its folder. */
  const givenLandingWith = async (file: string) => {
    const spoolFolder = await mkdtemp(join(inject('temporaryFolder'), 'spool-'));
    await writeFile(join(spoolFolder, pageFileName), file);
    return givenLanding({ after: { database: earlier.database, spoolFolder } });
  };

  it('serves the pages of the last run, issues lead references, and records the leads later', async () => {
    const shown = await givenPage({ title: 'Here', askedFields: ['email'], consentText: 'Agreed?' });
    const direct = await givenPage({ mode: 'direct' });
    await using landing = await givenLanding({ after: earlier });
    const before = await earlier.visit(`/${shown.slug}`);
    const now = await landing.visit(`/${shown.slug}`);
    const hidden = / value="[^"]*"/g;
    expect([now.status, now.html.replaceAll(hidden, '')]).toEqual([200, before.html.replaceAll(hidden, '')]);
    const replies = [
      await landing.visit(`/${direct.slug}?gclid=G`),
      await landing.submit(`/${shown.slug}`, { email: 'ada@example.com', consent: 'yes' }),
    ];
    const references = replies.map(({ location }) => referenceIn(location));
    expect(references).toEqual([expect.stringMatching(/^\w{22}$/), expect.stringMatching(/^\w{22}$/)]);
    await landing.findDatabaseAgain();
    await eventually(async () => {
      const leads = await landing.database.em().find(Lead, { reference: { $in: references } });
      expect(new Set(leads.map(({ consent }) => consent))).toEqual(new Set([null, true]));
    });
  });

  it.each([{ isOn: false }, { isHidden: true }])(
    'no longer serves what became %j meanwhile, once PostgreSQL is available',
    async (change) => {
      const [off, on] = [await givenPage(), await givenPage()];
      await using landing = await givenLanding({ after: earlier });
      await earlier.database.em().nativeUpdate(LandingPage, { id: off.id }, change);
      expect((await landing.visit(`/${off.slug}`)).status).toBe(200);
      const heard = landing.heardOfNews();
      await landing.findDatabaseAgain();
      await heard;
      expect((await landing.visit(`/${off.slug}`)).status).toBe(404);
      expect((await landing.visit(`/${on.slug}`)).status).toBe(200);
    },
  );

  it('finds a renamed page at its former address, also after a version that saved none of them', async () => {
    const given = await givenPage();
    const slug = unique('new');
    await renamePage(earlier.database.em(), { id: given.id, actor: 'test', slug });
    await saved(slug);
    await using landing = await givenLanding({ after: earlier });
    expect((await landing.visit(`/${given.slug}`)).location).toBe(`/${slug}`);
    const content = (await read()).replaceAll(/"former(Own)?Slugs":\[[^\]]*\],/g, '');
    expect(content).not.toContain(given.slug);
    await using upgraded = await givenLandingWith(
      `${createHash('sha256').update(content).digest('hex')}\n${content}\n`,
    );
    expect((await upgraded.visit(`/${slug}`)).status).toBe(200);
    await upgraded.findDatabaseAgain();
    await eventually(async () => expect((await upgraded.visit(`/${given.slug}`)).location).toBe(`/${slug}`));
  });

  it('takes reports of the script from its origins, and asks PostgreSQL for what an older version has not saved', async () => {
    const origins = ['https://shop.example'];
    const scripted = await givenPage({ mode: 'script', origins, targetUrl: 'https://shop.example/' });
    const report = ({ visit }: Pick<typeof earlier, 'visit'>) =>
      visit(`/${scripted.slug}/lead`, {
        method: 'POST',
        headers: { origin: 'https://shop.example', 'content-type': 'text/plain' },
        body: '{"url":"https://shop.example/?gclid=saved-1"}',
      });
    await using landing = await givenLanding({ after: earlier });
    expect((await report(landing)).status).toBe(201);
    const { pages, ...rest } = JSON.parse(await read());
    for (const one of pages) delete one.origins;
    const content = JSON.stringify({ ...rest, pages });
    const checksum = createHash('sha256').update(content).digest('hex');
    await using upgraded = await givenLandingWith(`${checksum}\n${content}\n`);
    expect((await report(upgraded)).status).toBe(403);
    const heard = upgraded.heardOfNews();
    await upgraded.findDatabaseAgain();
    await heard;
    expect((await report(upgraded)).status).toBe(201);
  });

  it.each([
    ['damaged', (content: string) => content.replace('"slug":"', '"slug":"x')],
    ['cut off', (content: string) => content.slice(0, -10)],
    ['empty', () => ''],
  ])('ignores a file of pages that is %s', async (_, damage) => {
    await using landing = await givenLandingWith(damage(await readFile(filePath(), 'utf8')));
    expect((await landing.visit(`/${page.slug}`)).status).toBe(503);
  });

  it.each([
    ['a week old', { savedAt: '2026-01-01T00:00:00.000Z' }],
    ['of another version', { version: 2 }],
    ['without a field that pages need', { pages: [{ id: 1 }] }],
  ])('ignores a file of pages that is %s', async (_, change) => {
    const content = JSON.stringify({ ...JSON.parse(await read()), ...change });
    const checksum = createHash('sha256').update(content).digest('hex');
    await using landing = await givenLandingWith(`${checksum}\n${content}\n`);
    expect((await landing.visit(`/${page.slug}`)).status).toBe(503);
  });

  it('saves nothing of accounts but their ids, and no person or secret', async () => {
    const { pages, domains, ...rest } = JSON.parse(await read());
    expect(Object.keys(rest)).toEqual(['version', 'savedAt']);
    expect(domains).toEqual([]);
    expect(Object.keys(pages[0]).toSorted()).toEqual(Object.keys(servedPageSchema.shape).toSorted());
  });
});
