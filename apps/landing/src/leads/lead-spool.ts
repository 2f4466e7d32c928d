import { randomUUID } from 'node:crypto';
import { opendir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { batch } from '@leadback/runtime/batch';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/secrets';
import { type Disk, DiskHangs } from '../disk/bounded-disk.ts';
import { errorCode } from '../disk/error-code.ts';
import { writeAtomically } from '../disk/write-atomically.ts';
import { openFolder } from './open-folder.ts';
import { inTime } from './in-time.ts';
import { spoolSize } from './spool-size.ts';

/** Leads on disk: the last resort if PostgreSQL and RabbitMQ are both unavailable. */
export interface LeadSpool {
  /** Identifies the folder. All processes that share the folder have the same id, once they have read it. */
  readonly id: string;
  /** Resolves once the lead is on disk. Rejects if the disk hangs, the folder is full, or its account has its share. */
  add(lead: BufferedLead): Promise<true>;
  /** What the folder takes on its disk, as far as this process knows. */
  readonly bytes: () => number;
  /** Whether files were deleted since the folder was measured. */
  readonly isOutdated: () => boolean;
  /** Reads what the folder takes. Other processes may write to it too. */
  readonly measure: () => Promise<void>;
  holdsLeads(): Promise<boolean>;
  /**
   * Records the leads on disk, oldest first, and deletes their files. Returns the number of recorded leads. `record`
   * must return false for a lead that can never be recorded, and throw if the lead must be retried.
   */
  replay(record: (lead: BufferedLead) => Promise<boolean>): Promise<number>;
}

export interface LeadSpoolOptions {
  readonly folder: string;
  readonly disk: Disk;
  /** No lead is added to a folder of this size. */
  readonly bytesMax: number;
  /** Encrypt the leads. */
  readonly keys: Keys;
  /**
   * Called with a file of which not every lead could be recorded. The other leads were; the file is kept as
   * `.damaged`.
   */
  readonly onDamaged: (file: string) => void;
  /** The disk did not respond at the start; leads are stored as soon as it does. */
  readonly onHanging: (error: unknown) => void;
  /** Called with the number of leads that were not added because the folder is full. */
  readonly onFull: (leads: number) => void;
}

const leadsMax = 500;
// an account may take so many times what is still free: a flood of one leaves room for the others, and one alone has most
const ofFree = 4;
// their leads share SQL statements
const filesMax = 50;
const spooled = /\.leads$/;

/** Returns undefined if the file is missing: another process has already handled it. */
const unlessMissing = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

interface SpoolFile {
  readonly name: string;
  readonly lines: readonly string[];
}

/**
 * Opens the spool in a folder and creates the folder if it is missing. A file is written once, with all leads that
 * arrived together, and never changed, so any number of processes may share one folder and record the files of stopped
 * ones. A lead that two processes replay is recorded once.
 */
export const leadSpool = async (options: LeadSpoolOptions): Promise<LeadSpool> => {
  const { folder, disk, bytesMax, keys, onDamaged, onHanging, onFull } = options;
  const size = spoolSize(folder, disk);
  /** What this process has written of each account since it last recorded all. */
  const bytesOf = new Map<number, number>();
  const hasShare = ({ accountId }: BufferedLead): boolean =>
    (bytesOf.get(accountId) ?? 0) > ofFree * Math.max(0, bytesMax - size.bytes());
  let id: string = randomUUID();
  const opened = disk(async () => {
    id = await openFolder(folder);
  });
  await opened.catch((error: unknown) => {
    if (!(error instanceof DiskHangs)) throw error;
    onHanging(error);
  });

  const write = async (leads: readonly BufferedLead[]): Promise<true[]> => {
    const lines = leads.map((lead) => `${encryptLead(keys, lead).toString('base64')}\n`);
    const content = lines.join('');
    if (size.bytes() + content.length > bytesMax) {
      onFull(leads.length);
      throw new Error(`the folder for buffered leads is full (LEAD_SPOOL_MAX_MB): ${size.bytes()} bytes`);
    }
    await disk(() => writeAtomically(folder, `${Date.now()}-${randomUUID()}.leads`, content));
    const taken = size.wrote(content.length);
    for (const [index, { accountId }] of leads.entries()) {
      const part = (lines[index]?.length ?? 0) / content.length;
      bytesOf.set(accountId, (bytesOf.get(accountId) ?? 0) + part * taken);
    }
    return leads.map(() => true);
  };

  const read = async (name: string): Promise<SpoolFile> => {
    const content = await disk(() => unlessMissing(readFile(join(folder, name), 'utf8')));
    return { name, lines: (content ?? '').split('\n').filter((line) => line !== '') };
  };

  const recordAll = async ({ lines }: SpoolFile, record: (lead: BufferedLead) => Promise<boolean>): Promise<number> => {
    const leads = lines.flatMap((line) => decryptLead(keys, Buffer.from(line, 'base64')) ?? []);
    return (await Promise.all(leads.map(record))).filter((isRecorded) => isRecorded).length;
  };

  const close = async ({ name, lines }: SpoolFile, recorded: number): Promise<void> => {
    const path = join(folder, name);
    const remove = async (): Promise<void> => {
      await rm(path, { force: true });
      size.deleted();
    };
    if (recorded === lines.length) await disk(remove);
    else if (await disk(() => unlessMissing(rename(path, `${path}.damaged`).then(() => true)))) onDamaged(name);
  };

  const writeTogether = batch(write, {
    itemsMax: leadsMax,
    runsMax: 1,
    failureScope: (error) => (error instanceof DiskHangs ? 'all' : 'batch'),
  });

  return {
    get id() {
      return id;
    },
    async add(lead) {
      if (hasShare(lead)) {
        onFull(1);
        throw new Error('the folder for buffered leads is full for the account of the lead');
      }
      // others may be written first
      if (await inTime(writeTogether(lead), disk.maxMs)) return true;
      throw new DiskHangs(disk);
    },
    bytes: size.bytes,
    isOutdated: size.isOutdated,
    measure: size.measure,
    holdsLeads: () =>
      disk(async () => {
        // reads only the first entries of a large folder
        for await (const { name } of await opendir(folder)) if (spooled.test(name)) return true;
        return false;
      }),
    async replay(record) {
      const names = (await disk(() => readdir(folder))).filter((name) => spooled.test(name)).toSorted();
      let leads = 0;
      while (names.length > 0) {
        // one at a time: visitors may be waiting for the disk
        const files: SpoolFile[] = [];
        for (const name of names.splice(0, filesMax)) files.push(await read(name));
        const outcomes = await Promise.allSettled(files.map((file) => recordAll(file, record)));
        for (const [index, file] of files.entries()) {
          const outcome = outcomes[index];
          if (outcome?.status !== 'fulfilled') continue;
          await close(file, outcome.value);
          leads += outcome.value;
        }
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      }
      bytesOf.clear();
      return leads;
    },
  };
};
