import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { commandLine } from './command-line.ts';

const ownerSchema = z.object({ pid: z.number(), command: z.string() });

const ownerFile = (dir: string) => join(dir, 'owner.json');

const ownerOf = (dir: string) => {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(ownerFile(dir), 'utf8')));
  } catch {
    return undefined; // nobody's, or a write that was cut off
  }
};

/**
 * Takes the folder for this process, and makes it where there is none. Throws when another living process has it: ending
 * the server that runs there would take it away from under that one.
 */
export const claimFolder = (dir: string): void => {
  mkdirSync(dir, { recursive: true });
  const owner = ownerOf(dir);
  if (owner && owner.pid !== process.pid && commandLine(owner.pid) === owner.command) {
    throw new Error(`${dir} is in use by process ${owner.pid}; stop that one first`);
  }
  writeFileSync(ownerFile(dir), JSON.stringify({ pid: process.pid, command: commandLine(process.pid) }));
};

/** Leaves the folder to whoever comes next, where it is this process that has it. */
export const releaseFolder = (dir: string): void => {
  if (ownerOf(dir)?.pid === process.pid) rmSync(ownerFile(dir));
};
