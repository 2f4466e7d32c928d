import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Lead } from '@leadback/db';
import { bufferedLeadKeys } from '@leadback/domain/keys';
import { bufferedLead, eventually, givenLandingPage, secretsKeys, waitMaxMs } from '@leadback/testing';
import { expect, inject, it, vi } from 'vitest';
import { boundedDisk, type Disk, DiskHangs } from '../src/leads/disk.ts';
import { leadSpool } from '../src/leads/spool.ts';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

it('redirects without a lead, and counts it, when RabbitMQ is unavailable and the spool full, until there is room again', async () => {
  await using landing = await givenLanding({ spoolBytesMax: 64 * 1024 });
  const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
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
