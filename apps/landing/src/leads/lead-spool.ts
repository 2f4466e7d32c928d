import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batch } from '@leadback/runtime/batch';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/secrets';
import { errorCode } from '../disk/error-code.ts';
import { writeAtomically } from '../disk/write-atomically.ts';

/** Leads on disk: the last resort if PostgreSQL and RabbitMQ are both unavailable. */
export interface LeadSpool {
  /** Identifies the folder. All processes that share the folder have the same id. */
  readonly id: string;
  /** Resolves once the lead is on disk. */
  add(lead: BufferedLead): Promise<true>;
  holdsLeads(): Promise<boolean>;
  /**
   * Records the leads on disk, oldest first, and deletes their files. Returns the number of recorded leads. `record`
   * must return false for a lead that can never be recorded, and throw if the lead must be retried.
   */
  replay(record: (lead: BufferedLead) => Promise<boolean>): Promise<number>;
}

export interface LeadSpoolOptions {
  readonly folder: string;
  /** Encrypt the leads. */
  readonly keys: Keys;
  /**
   * Called with a file of which not every lead could be recorded. The other leads were; the file is kept as
   * `.damaged`.
   */
  readonly onDamaged: (file: string) => void;
}

const leadsMax = 500;
// their leads share SQL statements
const filesMax = 50;
const spooled = /\.leads$/;

/** Reads the id of the folder. The first process to open the folder writes it. */
const folderIdOf = async (folder: string): Promise<string> => {
  const path = join(folder, 'id');
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  // empty while another process writes it: then this process uses its own id until the next start
  return (await readFile(path, 'utf8')) || randomUUID();
};

/** Returns undefined if the file is missing: another process has already handled it. */
const unlessMissing = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Opens the spool in a folder and creates the folder if it is missing. A file is written once, with all leads that
 * arrived together, and never changed, so any number of processes may share one folder and record the files of stopped
 * ones. A lead that two processes replay is recorded once.
 */
export const leadSpool = async ({ folder, keys, onDamaged }: LeadSpoolOptions): Promise<LeadSpool> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  const write = async (leads: readonly BufferedLead[]): Promise<true[]> => {
    const lines = leads.map((lead) => `${encryptLead(keys, lead).toString('base64')}\n`);
    await writeAtomically(folder, `${Date.now()}-${randomUUID()}.leads`, lines.join(''));
    return leads.map(() => true);
  };

  const replayFile = async (name: string, record: (lead: BufferedLead) => Promise<boolean>): Promise<number> => {
    const path = join(folder, name);
    const lines = ((await unlessMissing(readFile(path, 'utf8'))) ?? '').split('\n').filter((line) => line !== '');
    const leads = lines.flatMap((line) => decryptLead(keys, Buffer.from(line, 'base64')) ?? []);
    const recorded = (await Promise.all(leads.map(record))).filter((isRecorded) => isRecorded).length;
    if (recorded === lines.length) await rm(path, { force: true });
    else if (await unlessMissing(rename(path, `${path}.damaged`).then(() => true))) onDamaged(name);
    return recorded;
  };

  return {
    id: await folderIdOf(folder),
    add: batch(write, { itemsMax: leadsMax, runsMax: 1 }),
    async holdsLeads() {
      // reads only the first entries of a large folder
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
