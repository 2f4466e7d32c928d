import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitMaxMs } from '@leadback/testing';
import { expect, it, onTestFinished } from 'vitest';
import { type Disk, boundedDisk } from './disk.ts';
import { deleteExpiredDamagedFiles, openFolder, spoolSize } from './spool.ts';

it('the size of the folder holds what was written, also if it is measured twice at the same time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spool-size-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const disk: Disk = Object.assign(<Result>(work: () => Promise<Result>) => work(), { maxMs: 500 });
  const size = spoolSize(folder, disk);
  await writeFile(join(folder, 'one.leads'), 'x'.repeat(40_000));
  size.wrote(40_000);
  await Promise.all([size.measure(), size.measure()]);
  expect(size.bytes()).toBeGreaterThanOrEqual(40_000);
});

it('a folder for leads that landing may not write to is named with the remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leads-'));
  expect(await openFolder(join(folder, 'leads'))).toBe(await openFolder(join(folder, 'leads')));
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openFolder(join(file, 'leads'))).rejects.toThrow(
    `cannot write to ${file}/leads (ENOTDIR). Give LEAD_SPOOL_FOLDER to the user that runs landing`,
  );
  await rm(folder, { recursive: true });
});

it('deletes leads on disk that could not be recorded after 30 days, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  const given = async (name: string, ageDays: number) => {
    await writeFile(join(folder, name), 'encrypted');
    const at = new Date(Date.now() - ageDays * 86_400_000);
    await utimes(join(folder, name), at, at);
  };
  await given('old.leads.damaged', 30.1);
  await given('young.leads.damaged', 29.9);
  await given('waiting.leads', 31);
  await given('folder-id', 31);
  try {
    expect(await deleteExpiredDamagedFiles(folder, boundedDisk(waitMaxMs))).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual(['folder-id', 'waiting.leads', 'young.leads.damaged']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
