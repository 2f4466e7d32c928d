import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@leadback/testing/stack';
import { inject } from 'vitest';

export interface SmallDisk extends AsyncDisposable {
  /** On a file system of its own. */
  readonly folder: string;
  /** Takes all free space but this. */
  fill(leftMb?: number): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
}

interface Mounted {
  readonly folder: string;
  readonly unmount: () => Promise<unknown>;
}

const mb = 1024 * 1024;

const mountAsRoot = async (folder: string, size: string): Promise<Mounted> => {
  await runCommand(['mount', '-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  return { folder, unmount: () => runCommand(['umount', '--lazy', folder]) };
};

// others may not mount, but in a namespace of their own, which the rest of the machine enters through /proc
const mountInNamespace = async (folder: string, size: string): Promise<Mounted> => {
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && echo mounted && exec cat';
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, folder, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  const isMounted = await Promise.race([once(holder.stdout, 'data').then(() => true), exited.then(() => false)]);
  if (!isMounted) throw new Error('cannot mount a small disk: needs root or user namespaces');
  const unmount = () => {
    holder.stdin.end();
    return exited;
  };
  return { folder: `/proc/${holder.pid}/root${folder}`, unmount };
};

/** A disk in memory that a test can fill. Needs Linux, and root or user namespaces; throws without. */
const givenSmallDisk = async (sizeMb: number): Promise<SmallDisk> => {
  const mountPoint = await mkdtemp(join(inject('temporaryFolder'), 'disk-'));
  const mount = process.getuid?.() === 0 ? mountAsRoot : mountInNamespace;
  const mounted = await mount(mountPoint, `size=${sizeMb}m,mode=0755`);
  const fillers = join(mounted.folder, 'fillers');
  return {
    folder: mounted.folder,
    fill: async (leftMb = 0) => {
      await mkdir(fillers, { recursive: true });
      const { bavail, bsize } = await statfs(mounted.folder);
      const size = bavail * bsize - leftMb * mb;
      if (size <= 0) return;
      await writeFile(join(fillers, String(performance.now())), Buffer.alloc(size)).catch((error: unknown) => {
        // somebody else was faster
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      });
    },
    free: () => rm(fillers, { recursive: true, force: true }),
    [Symbol.asyncDispose]: async () => {
      await mounted.unmount();
    },
  };
};

/** The test, or on a machine that mounts no disk for it, a line that says so: `npm test` has to pass there, too. */
export const onSmallDisk =
  (sizeMb: number, test: (disk: SmallDisk) => Promise<void>): (() => Promise<void>) =>
  async () => {
    let disk: SmallDisk;
    try {
      disk = await givenSmallDisk(sizeMb);
    } catch (error) {
      process.stderr.write(`not tested, because this machine mounts no small disk: ${String(error)}\n`);
      return;
    }
    await using mounted = disk;
    await test(mounted);
  };
