import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs work on a disk. Rejects what has not ended in time, and then at once as long as the disk hangs. */
export interface Disk {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  readonly maxMs: number;
}

// a visitor may be waiting
const visitorWaitsMs = 500;
// Work that hangs keeps its thread, and Node has four: two are left for looking up names and for compression.
const atOnce = 2;

/** The disk did not respond in time. The work may still end later. */
export class DiskHangs extends Error {
  constructor({ maxMs }: Pick<Disk, 'maxMs'>) {
    super(`the disk did not respond within ${maxMs} ms`);
  }
}

/** Bounds how long callers wait for a disk, and how many threads it takes when it hangs. */
export const boundedDisk = (maxMs = visitorWaitsMs): Disk => {
  const waiting: (() => void)[] = [];
  let running = 0;
  let hanging = 0;

  const startNext = (): void => {
    if (running < atOnce) waiting.shift()?.();
  };

  const bounded = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (hanging >= atOnce) return Promise.reject(new DiskHangs(disk));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let isStarted = false;
    let isHanging = false;
    const start = async (): Promise<void> => {
      isStarted = true;
      running += 1;
      await work().then(resolve, reject);
      clearTimeout(timer);
      running -= 1;
      if (isHanging) hanging -= 1;
      startNext();
    };
    const turn = (): void => void start();
    const timer = setTimeout(() => {
      if (isStarted) {
        isHanging = true;
        hanging += 1;
      } else waiting.splice(waiting.indexOf(turn), 1);
      reject(new DiskHangs(disk));
    }, maxMs);
    waiting.push(turn);
    startNext();
    return promise;
  };
  const disk = Object.assign(bounded, { maxMs });
  return disk;
};

/** The code of an error of the file system, such as `ENOENT`. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Writes a file atomically: after a crash or power failure it is complete or absent, or as it was before. */
export const writeAtomically = async (folder: string, name: string, content: string): Promise<void> => {
  // several processes may write files of one name
  const unfinished = join(folder, `${name}.${randomUUID()}.unfinished`);
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

/** The result of `work`, or undefined if it takes longer; it may still end later. */
export const inTime = async <Result>(work: Promise<Result>, maxMs: number): Promise<Result | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), maxMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
