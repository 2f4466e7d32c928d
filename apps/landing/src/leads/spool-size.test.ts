import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Disk } from './disk.ts';
import { spoolSize } from './spool.ts';

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
