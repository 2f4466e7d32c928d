import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from './spool.ts';

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
