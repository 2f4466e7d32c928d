import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batch } from '@leadback/db';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/domain';

/** Leads on disk: the last place where they can wait. */
export interface LeadSpool {
  /** Tells this folder from any other, whoever uses it. */
  readonly id: string;
  /** Resolves once the lead is on disk. */
  add(lead: BufferedLead): Promise<true>;
  holdsLeads(): Promise<boolean>;
  /**
   * Records what is on disk, oldest first, and removes it then; gives how many leads that were. `record` gives false for
   * one that never can be, and throws where all has to be tried again.
   */
  replay(record: (lead: BufferedLead) => Promise<boolean>): Promise<number>;
}

export interface LeadSpoolOptions {
  readonly folder: string;
  /** Under which leads are sealed. */
  readonly keys: Keys;
  /** A file with something in it that cannot be recorded; the rest of it was, and the file is kept as `.damaged`. */
  readonly onDamaged: (file: string) => void;
}

const leadsMax = 500;
// their leads share statements
const filesMax = 50;
const spooled = /\.leads$/;

/** Writes a file that is there whole or not at all, whenever the power goes. */
const writeWhole = async (folder: string, name: string, content: string): Promise<void> => {
  const unfinished = join(folder, `${name}.unfinished`);
  try {
    await using file = await open(unfinished, 'wx', 0o600);
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rename(unfinished, join(folder, name));
  await using entries = await open(folder);
  await entries.sync();
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The name that whoever came first gave the folder. */
const nameOf = async (folder: string): Promise<string> => {
  const path = join(folder, 'id');
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  // empty for a moment while another process writes it: then it has a name of its own until the next start
  return (await readFile(path, 'utf8')) || randomUUID();
};

/** What was done with a file; undefined where another process has just dealt with it, and it is gone. */
const unlessGone = async <Done>(done: Promise<Done>): Promise<Done | undefined> => {
  try {
    return await done;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Opens the spool in a folder, which is made where there is none. A file is written once, with the leads that came at the
 * same time, and never changed; so any number of processes may use one folder, and whoever comes first records what
 * another has left behind. A lead that two of them record is recorded once.
 */
export const leadSpool = async ({ folder, keys, onDamaged }: LeadSpoolOptions): Promise<LeadSpool> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  const write = async (leads: readonly BufferedLead[]): Promise<true[]> => {
    const lines = leads.map((lead) => `${encryptLead(keys, lead).toString('base64')}\n`);
    await writeWhole(folder, `${Date.now()}-${randomUUID()}.leads`, lines.join(''));
    return leads.map(() => true);
  };

  const replayFile = async (name: string, record: (lead: BufferedLead) => Promise<boolean>): Promise<number> => {
    const path = join(folder, name);
    const lines = ((await unlessGone(readFile(path, 'utf8'))) ?? '').split('\n').filter((line) => line !== '');
    const leads = lines.flatMap((line) => decryptLead(keys, Buffer.from(line, 'base64')) ?? []);
    const recorded = (await Promise.all(leads.map(record))).filter((isRecorded) => isRecorded).length;
    if (recorded === lines.length) await rm(path, { force: true });
    else if (await unlessGone(rename(path, `${path}.damaged`).then(() => true))) onDamaged(name);
    return recorded;
  };

  return {
    id: await nameOf(folder),
    add: batch(write, { itemsMax: leadsMax, runsMax: 1 }),
    async holdsLeads() {
      // of a folder of many files only the first few are looked at
      for await (const { name } of await opendir(folder)) if (spooled.test(name)) return true;
      return false;
    },
    async replay(record) {
      const names = (await readdir(folder)).filter((name) => spooled.test(name)).toSorted();
      let leads = 0;
      while (names.length > 0) {
        const replayed = await Promise.all(names.splice(0, filesMax).map((name) => replayFile(name, record)));
        leads += replayed.reduce((sum, count) => sum + count, 0);
      }
      return leads;
    },
  };
};
