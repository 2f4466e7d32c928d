import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Lead } from '@leadback/db';
import { leadRecorder } from '@leadback/core/leads/record';
import { isGenuineLeadReference, leadReferenceKeys, bufferedLeadKeys } from '@leadback/domain/keys';
import {
  eventually,
  givenContacts,
  givenDatabase,
  givenLandingPage,
  hiddenFieldsIn,
  secretsKeys,
  bufferedLead,
  waitMaxMs,
} from '@leadback/testing';
import { describe, expect, inject, it, vi } from 'vitest';
import { boundedDisk } from '../src/leads/disk.ts';
import { leadSpool } from '../src/leads/spool.ts';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

// beside them, the page file is there, or for a moment an unfinished one
const spoolFilesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => /\.leads(\.damaged)?$/.test(name));

const openSpool = (folder: string) =>
  leadSpool({
    folder,
    disk: boundedDisk(waitMaxMs),
    bytesMax: 1024 * 1024 * 1024,
    keys: bufferedLeadKeys(secretsKeys),
    onDamaged: vi.fn<() => void>(),
    onHanging: vi.fn<() => void>(),
    onFull: vi.fn<() => void>(),
  });

describe('while PostgreSQL and RabbitMQ are unavailable', () => {
  it('redirects every visitor with a lead reference during an outage, and records the leads after it', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const shown = await givenLandingPage(em, { title: 'Here' });
    const direct = await givenLandingPage(em, { mode: 'direct' });
    await landing.heardOfNews();
    const before = new Date();
    landing.loseDatabase();
    const { html } = await landing.visit(`/${shown.slug}`);
    expect(html).toContain('<h1>Here</h1>');
    const form = hiddenFieldsIn(html);
    const visits = await Promise.all(
      Array.from({ length: 100 }, (_, index) => landing.visit(`/${direct.slug}?gclid=secret-${index}`)),
    );
    const again = await landing.visit(`/${shown.slug}?gclid=secret-100`, { form });
    const twice = await landing.visit(`/${shown.slug}?gclid=secret-100`, { form });
    expect(twice.location).toBe(again.location);
    const references = [...visits, again].map(({ location }) => referenceIn(location));
    expect(new Set(references).size).toBe(101);
    const keys = leadReferenceKeys(secretsKeys);
    expect(references.filter((reference) => !isGenuineLeadReference(keys, reference))).toEqual([]);

    const files = await spoolFilesIn(landing.spoolFolder);
    const spooled = await Promise.all(files.map((file) => readFile(join(landing.spoolFolder, file), 'utf8')));
    expect(spooled.join('\n').split('\n').filter(Boolean).length).toBe(102);
    expect(spooled.join('')).not.toContain('secret');

    await landing.findDatabaseAgain();
    await eventually(async () => expect(await spoolFilesIn(landing.spoolFolder)).toEqual([]));
    const leads = await landing.database.em().find(Lead, { reference: { $in: references } });
    expect(leads).toHaveLength(101);
    expect(new Set(leads.map(({ clickParameters }) => clickParameters.gclid)).size).toBe(101);
    expect(leads.filter(({ createdAt }) => createdAt < before)).toEqual([]);
  });

  it('answers 503 for a page that is not cached while PostgreSQL is unavailable', async () => {
    await using landing = await givenLanding();
    landing.loseDatabase();
    const unseen = await givenLandingPage(landing.database.em());
    const { status, html, headers } = await landing.visit(`/${unseen.slug}`);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(html).toContain('Just a moment');
  });

  it('keeps a damaged spool file as .damaged and records the other leads', async () => {
    await using landing = await givenLanding();
    const direct = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    await landing.visit(`/${direct.slug}`);
    landing.loseDatabase();
    await writeFile(join(landing.spoolFolder, '1-broken.leads'), 'bm90IGEgbGVhZA==\n');
    const { location } = await landing.visit(`/${direct.slug}`);
    await landing.findDatabaseAgain();
    await eventually(async () => expect(await spoolFilesIn(landing.spoolFolder)).toEqual(['1-broken.leads.damaged']));
    expect(await landing.database.em().count(Lead, { reference: referenceIn(location) })).toBe(1);
  });

  it('records leads from a shared disk once', async () => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'shared-'));
    const spools = await Promise.all([1, 2, 3].map(() => openSpool(folder)));
    await using database = await givenDatabase();
    const page = await givenLandingPage(database.em());
    const leads = Array.from({ length: 300 }, () =>
      bufferedLead({ accountId: page.account.id, landingPageId: page.id, visitedAt: new Date().toISOString() }),
    );
    await Promise.all(
      spools.flatMap((spool, nth) =>
        leads.filter((_, index) => index % spools.length === nth).map((lead) => spool.add(lead)),
      ),
    );
    const record = leadRecorder(database.pool, givenContacts());
    await Promise.all(spools.map((spool) => spool.replay(record)));
    expect(await spoolFilesIn(folder)).toEqual([]);
    const references = leads.map(({ reference }) => reference);
    expect(await database.em().count(Lead, { reference: { $in: references } })).toBe(300);
  });
});
