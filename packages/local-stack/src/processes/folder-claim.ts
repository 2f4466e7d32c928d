import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivately } from '../private-files.ts';
import { commandLine, endLeftOver } from './process-table.ts';

const ownerSchema = z.object({ pid: z.number(), command: z.string() });

const ownerFile = (dir: string) => join(dir, 'owner.json');

const ownerOf = (dir: string) => {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(ownerFile(dir), 'utf8')));
  } catch {
    return undefined; // no owner, or an incomplete write
  }
};

/**
 * Claims the folder for this process, creates it if missing, and keeps other users out. Throws if another running process
 * has claimed it, because that process still needs the server there.
 */
export const claimFolder = (dir: string): void => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const owner = ownerOf(dir);
  if (owner && owner.pid !== process.pid && commandLine(owner.pid) === owner.command) {
    throw new Error(`${dir} is in use by process ${owner.pid}; stop that process first`);
  }
  writePrivately(ownerFile(dir), JSON.stringify({ pid: process.pid, command: commandLine(process.pid) }));
};

/** Does nothing if another process has claimed the folder. */
export const releaseFolder = (dir: string): void => {
  if (ownerOf(dir)?.pid === process.pid) rmSync(ownerFile(dir));
};

const postgresPid = 'data/postmaster.pid';
// the nodes of a cluster have a folder each
const pidFiles = ['node.pid', '*/node.pid', 'epmd.pid'];

/** Deletes the folder of a server; first ends the server if a killed run left it running. */
export const forgetServer = async (dir: string): Promise<void> => {
  if (!existsSync(dir)) return;
  claimFolder(dir);
  await endLeftOver(join(dir, postgresPid), 'SIGTERM', dir);
  for (const pidFile of globSync(pidFiles, { cwd: dir })) await endLeftOver(join(dir, pidFile), 'SIGTERM');
  rmSync(dir, { recursive: true, force: true });
};
