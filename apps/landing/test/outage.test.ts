import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdtemp, open, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { leadRecorder } from '@leadback/core/leads/record';
import { Lead } from '@leadback/db';
import { bufferedLeadKeys, isGenuineLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  bufferedLead,
  eventually,
  givenAccount,
  givenContacts,
  givenDatabase,
  givenErased,
  givenLandingPage,
  hiddenFieldsIn,
  secretsKeys,
  waitMaxMs,
} from '@leadback/testing';
import { describe, expect, inject, it, vi } from 'vitest';
import { type Disk, DiskHangs, boundedDisk } from '../src/leads/disk.ts';
import { leadSpool } from '../src/leads/spool.ts';
import { pageFileName } from '../src/pages/pages.ts';
import { givenLanding, referenceIn } from './given-landing.ts';

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
    const unseen = await landing.givenPage();
    const { status, html, headers } = await landing.visit(`/${unseen.slug}`);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(html).toContain('Just a moment');
  });

  it('keeps a damaged spool file as .damaged and records the other leads', async () => {
    await using landing = await givenLanding();
    const direct = await landing.givenPage({ mode: 'direct' });
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

it('redirects without a lead, and counts it, when RabbitMQ is unavailable and the spool full, until there is room again', async () => {
  await using landing = await givenLanding({ spoolBytesMax: 64 * 1024 });
  const page = await landing.givenPage({ mode: 'direct' });
  const countOf = async (series: string) =>
    Number(new RegExp(`^${series}[^}]*\\} (\\d+)`, 'm').exec(await landing.metrics())?.[1]);
  const visit = async () => {
    const { status, location } = await landing.visit(`/${page.slug}`);
    expect(status).toBe(302);
    return referenceIn(location);
  };
  const refused = () => countOf('leadback_lead_buffer_full_total\\{place="disk"');

  await visit();
  landing.loseDatabase();
  const references: string[] = [];
  // a lead is lost, too, if the disk of a busy machine takes longer than a visitor waits for it
  while ((await refused()) === 0) references.push(await visit());
  const stored = references.filter((reference) => reference !== '');
  expect(stored.length).toBeGreaterThan(0);
  // a file takes a block of 4 KiB at least
  expect(stored.length).toBeLessThanOrEqual(16);
  expect(references.at(-1)).toBe('');
  expect(await countOf('leadback_visits_total\\{mode="direct",lead="lost"')).toBe(references.length - stored.length);

  await landing.findDatabaseAgain();
  const recorded = () => landing.database.em().count(Lead, { reference: { $in: stored } });
  await eventually(async () => expect(await recorded()).toBe(stored.length));
  await eventually(async () => {
    landing.loseDatabase();
    const isStored = (await visit()) !== '';
    await landing.findDatabaseAgain();
    // or it would be lost again before leads are recorded
    await landing.heardOfNews();
    expect(isStored).toBe(true);
  });
});

it('knows of the room that a file left which the disk deleted late', async () => {
  let isSlow = false;
  const inTime = boundedDisk(waitMaxMs);
  // work is done, and nobody waits for it
  const late = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await inTime(work);
    if (isSlow && result === undefined) throw new DiskHangs(inTime);
    return result;
  };
  const disk: Disk = Object.assign(late, { maxMs: inTime.maxMs });
  const onFull = vi.fn<(leads: number) => void>();
  const spool = await leadSpool({
    folder: await mkdtemp(join(inject('temporaryFolder'), 'spool-')),
    disk,
    bytesMax: 2 * 4_096, // a file of leads, beside that of the folder's id
    keys: bufferedLeadKeys(secretsKeys),
    onDamaged: vi.fn<() => void>(),
    onHanging: vi.fn<() => void>(),
    onFull,
  });
  await spool.measure();
  await spool.add(bufferedLead({ reference: 'A' }));
  const second = bufferedLead({ reference: 'B' });
  await expect(spool.add(second)).rejects.toThrow('is full');
  expect(onFull.mock.calls).toEqual([[1]]);

  isSlow = true;
  await expect(spool.replay(() => Promise.resolve(true))).rejects.toThrow('the disk did not respond');
  isSlow = false;
  expect(await spool.replay(() => Promise.resolve(true))).toBe(0);
  expect(spool.isOutdated()).toBe(true);
  await spool.measure();
  expect(spool.isOutdated()).toBe(false);
  await spool.add(second);
});

it('keeps room on disk for the leads of other accounts when one or two are flooded', async () => {
  const spool = await leadSpool({
    folder: await mkdtemp(join(inject('temporaryFolder'), 'spool-')),
    disk: boundedDisk(waitMaxMs),
    bytesMax: 100 * 4_096, // a file for each lead
    keys: bufferedLeadKeys(secretsKeys),
    onDamaged: vi.fn<() => void>(),
    onHanging: vi.fn<() => void>(),
    onFull: vi.fn<() => void>(),
  });
  const store = (accountId: number) =>
    spool.add(bufferedLead({ accountId })).then(
      () => 1,
      () => 0,
    );
  const flood = async (accountId: number) => {
    let stored = 0;
    for (let count = 0; count < 100; count += 1) stored += await store(accountId);
    return stored;
  };
  // four times what it leaves free
  expect(await flood(1)).toBe(81);
  expect(await flood(2)).toBeGreaterThan(10);
  for (const account of [3, 4, 5]) expect(await store(account)).toBe(1);
  expect(await store(1)).toBe(0);
  expect(await spool.replay(() => Promise.resolve(true))).toBeGreaterThan(90);
  await spool.measure();
  expect(await store(1)).toBe(1);
});

const target = 'https://shop.example/offer';

/** A file that blocks each reader, and a thread of Node with it, until it is disposed. */
const hangingFile = async (folder: string, name: string) => {
  const path = join(folder, name);
  await promisify(execFile)('mkfifo', [path]);
  return {
    async [Symbol.asyncDispose]() {
      // each reader gets an empty file
      await using _writer = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
      await promisify(execFile)('rm', ['-f', path]);
    },
  };
};

describe('a disk that hangs', () => {
  it('keeps no visitor waiting, with and without PostgreSQL, and is used again once it responds', async () => {
    await using landing = await givenLanding({ diskMaxMs: 500 });
    const page = await landing.givenPage({ mode: 'direct' });
    const visit = async () => (await landing.visit(`/${page.slug}`)).location;
    {
      await using _hanging = await hangingFile(landing.spoolFolder, '1.leads');
      // twice, because each attempt to record the file hangs one of two threads
      await landing.diskHung();
      await landing.diskHung();
      expect(referenceIn(await visit())).not.toBe('');
      landing.loseDatabase();
      await eventually(async () => expect(await visit()).toBe(target));
      expect(await visit()).toBe(target);
    }
    await eventually(async () => expect(referenceIn(await visit())).not.toBe(''));
    const reference = referenceIn(await visit());
    await landing.findDatabaseAgain();
    await eventually(async () => expect(await landing.database.em().count(Lead, { reference })).toBe(1));
  });

  it('does not keep the app from starting', async () => {
    const spoolFolder = await mkdtemp(join(inject('temporaryFolder'), 'hung-'));
    await using _id = await hangingFile(spoolFolder, 'id');
    await using _pages = await hangingFile(spoolFolder, pageFileName);
    await using landing = await givenLanding({ spoolFolder, diskMaxMs: 500 });
    const page = await landing.givenPage({ mode: 'direct' });
    const reference = referenceIn((await landing.visit(`/${page.slug}`)).location);
    expect(await landing.database.em().count(Lead, { reference })).toBe(1);
  });
});

const person = { name: 'Ana', email: 'Ana@Example.com', phone: '+54 9 11 2345-6789' };

const nothingLeft = {
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  name: null,
  email: null,
  phone: null,
  contact: null,
  emailHash: null,
  clickTimes: null,
  clickParameters: { utm_campaign: 'verano' },
};

describe('a lead that is recorded after an outage', () => {
  it.each([
    ['the email that it has', { emails: ['ana@example.com'] }],
    ['its phone number, written differently', { phoneNumbers: ['011 2345 6789'] }],
  ])('has no personal data if a person was erased by %s meanwhile', async (_, marks) => {
    await using landing = await givenLanding();
    const page = await landing.givenPage({ askedFields: ['name', 'email', 'phone'] });
    const account = await page.account.loadOrFail();
    const path = `/${page.slug}?gclid=G1&utm_campaign=verano`;
    await landing.visit(path);
    landing.loseDatabase();
    const erased = await landing.submit(path, person);
    const other = await landing.submit(path, { ...person, email: 'eva@example.com', phone: '+54 9 11 2345-0000' });
    await givenErased(landing.database, account, marks);
    await landing.findDatabaseAgain();

    expect(await eventually(() => landing.leadOf(erased))).toMatchObject(nothingLeft);
    const kept = await eventually(() => landing.leadOf(other));
    expect(kept).toMatchObject({ email: 'eva@example.com', clickParameters: { gclid: 'G1' } });
  });

  it('has no personal data if it was erased itself, and all if only an earlier visit was', async () => {
    await using landing = await givenLanding();
    const page = await landing.givenPage({ askedFields: ['name', 'email', 'phone'] });
    const account = await page.account.loadOrFail();
    const path = `/${page.slug}?gclid=G1&utm_campaign=verano`;
    await landing.visit(path);
    landing.loseDatabase();
    const itself = await landing.submit(path, person);
    const later = await landing.submit(path, { ...person, name: 'Eva' });
    await givenErased(landing.database, account, { leadReferences: [referenceIn(itself.location)] }, -60);
    await givenErased(landing.database, account, { emails: [person.email] }, -60);
    await landing.findDatabaseAgain();

    expect(await eventually(() => landing.leadOf(itself))).toMatchObject(nothingLeft);
    expect(await eventually(() => landing.leadOf(later))).toMatchObject({ name: 'Eva', email: person.email });
  });

  it('is recorded whole in another account, and as an erasure leaves it in a forgotten one', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const pages = await Promise.all([1, 2].map(() => givenLandingPage(em, { askedFields: ['email'] })));
    for (const { slug } of pages) await landing.visit(`/${slug}`);
    landing.loseDatabase();
    const visits = [];
    for (const { slug } of pages) visits.push(await landing.submit(`/${slug}`, { email: person.email }));
    await givenErased(landing.database, await givenAccount(em), { emails: [person.email] });
    await landing.database.pool.query('update account set data_key = null where id = $1', [pages[1]?.account.id]);
    await landing.findDatabaseAgain();
    const leads = [];
    for (const visit of visits) leads.push(await eventually(() => landing.leadOf(visit)));
    expect(leads).toMatchObject([{ email: person.email }, { email: null, contact: null, userAgent: null }]);
  });
});

describe('a visit of an erased person', () => {
  it('leaves a lead without contact data where the account does not register erased persons again', async () => {
    await using landing = await givenLanding();
    const em = landing.database.em();
    const strict = await givenLandingPage(em, { askedFields: ['email'] });
    const lenient = await givenLandingPage(em, { askedFields: ['email'] });
    for (const page of [strict, lenient]) {
      await givenErased(landing.database, await page.account.loadOrFail(), { emails: [person.email] }, -60);
    }
    await landing.database.pool.query(`update account set erased_persons = 'suppress' where id = $1`, [
      strict.account.id,
    ]);
    const leadAt = async ({ slug }: { slug: string }) =>
      landing.leadOf(await landing.submit(`/${slug}?gclid=G1`, { email: person.email }));
    expect(await leadAt(strict)).toMatchObject({ email: null, emailHash: null, clickParameters: { gclid: 'G1' } });
    expect(await leadAt(lenient)).toMatchObject({ email: person.email });
  });
});
