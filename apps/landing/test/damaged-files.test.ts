import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitMaxMs } from '@leadback/testing';
import { expect, it } from 'vitest';
import { boundedDisk } from '../src/leads/disk.ts';
import { deleteExpiredDamagedFiles } from '../src/leads/spool.ts';

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
