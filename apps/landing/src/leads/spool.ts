import { randomUUID } from 'node:crypto';
import { readFile, writeFile, mkdir, readdir, stat, opendir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { batch } from '@leadback/db/batch';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/domain/keys';
import { errorCode, type Disk, DiskHangs, writeAtomically, inTime } from './disk.ts';

/** Reads the id of the folder. The first process to open the folder writes it. */
const folderIdOf = async (folder: string): Promise<string> => {
  const path = join(folder, 'id');
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  // empty while another process writes it: then this process uses its own id until the next start
  return (await readFile(path, 'utf8')) || randomUUID();
};

// ENOENT: mkdir below a read-only folder
const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT'];

/** Creates the folder if it is missing, and returns its id. Throws with the remedy if this process may not write to it. */
export const openFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await folderIdOf(folder);
  } catch (error) {
    const code = String(errorCode(error));
    if (!notWritable.includes(code)) throw error;
    const remedy =
      'Give LEAD_SPOOL_FOLDER to the user that runs landing (in the image: chown -R 1000:1000), or set another folder';
    throw new Error(`cannot write to ${folder} (${code}). ${remedy}`, { cause: error });
  }
};

/** What the files of a folder take on its disk, as far as this process knows. */
interface SpoolSize {
  readonly bytes: () => number;
  /** A file of this length was written. Returns what it takes. */
  readonly wrote: (length: number) => number;
  /** A file was deleted: the folder has more room than is known. */
  readonly deleted: () => void;
  /** Whether a file was deleted since the last measurement. */
  readonly isOutdated: () => boolean;
  /** Reads the sizes of all files, or waits for the reading that has begun. Rejects if the disk hangs. */
  readonly measure: () => Promise<void>;
}

// of most file systems
const blockBytes = 4_096;
const statBlockBytes = 512;

/** Starts at zero. Between two measurements only the files of this process are added, not those of others. */
export const spoolSize = (folder: string, disk: Disk): SpoolSize => {
  let bytes = 0;
  let written = 0;
  let isOutdated = false;
  let measuring: Promise<void> | undefined;

  const sizeOf = async (name: string): Promise<number> => {
    try {
      return (await disk(() => stat(join(folder, name)))).blocks * statBlockBytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return 0;
      throw error;
    }
  };

  const measureAlone = async (): Promise<void> => {
    const before = written;
    isOutdated = false;
    let sum = 0;
    try {
      // one at a time: visitors may be waiting for the disk
      for (const name of await disk(() => readdir(folder))) sum += await sizeOf(name);
    } catch (error) {
      isOutdated = true;
      throw error;
    }
    bytes = sum;
    // what was written meanwhile may be in the sum as well, until it is measured again
    written -= before;
  };

  return {
    bytes: () => bytes + written,
    wrote(length) {
      const taken = Math.ceil(length / blockBytes) * blockBytes;
      written += taken;
      return taken;
    },
    deleted() {
      isOutdated = true;
    },
    isOutdated: () => isOutdated,
    // One reading at a time: two would both subtract what was written before them, and the folder would seem empty.
    measure() {
      measuring ??= measureAlone().finally(() => {
        measuring = undefined;
      });
      return measuring;
    },
  };
};

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

interface LeadSpoolOptions {
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
      throw new Error(`the folder for buffered leads is full: ${size.bytes()} bytes`);
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

// As long as the policy in deploy/rabbitmq/definitions.json keeps dead-lettered leads. Both have personal data.
const daysKept = 30;

const isExpired = async (path: string, disk: Disk): Promise<boolean> => {
  try {
    return Date.now() - (await disk(() => stat(path))).mtimeMs > daysKept * 86_400_000;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Deletes files of leads that could not be recorded 30 days after they were written. Returns how many. */
export const deleteExpiredDamagedFiles = async (folder: string, disk: Disk): Promise<number> => {
  let deleted = 0;
  for (const name of await disk(() => readdir(folder))) {
    const path = join(folder, name);
    if (!name.endsWith('.damaged') || !(await isExpired(path, disk))) continue;
    await disk(() => rm(path, { force: true }));
    deleted += 1;
  }
  return deleted;
};
