import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { chmod, chown, copyFile, link, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { settingsOf, textOf } from './dockerfile.ts';
import { repository } from './repository.ts';

interface ImageProcess {
  /** Standard output and standard error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit status; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

export interface BuiltImage {
  /** What the image contains besides Node. */
  readonly folder: string;
  /** Starts a command of the Dockerfile as the image's user, with the image's environment and these settings. */
  start(command: readonly string[], settings?: Readonly<Record<string, string>>): ImageProcess;
}

const execute = promisify(execFile);

/** Runs the build script as the Dockerfile does, into a folder with a copy of Node that any user can reach. */
export const builtImage = async (app: string): Promise<BuiltImage> => {
  const scratch = inject('temporaryFolder');
  const root = await mkdtemp(join(scratch, 'image-'));
  const [bin, folder, spool] = [join(root, 'bin'), join(root, 'app'), join(root, 'leads')];
  for (const one of [bin, spool]) await mkdir(one);
  for (const one of [scratch, root]) await chmod(one, 0o755);
  // a hard link works only on the same file system
  const node = join(bin, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node, constants.COPYFILE_FICLONE));
  await execute('pnpm', ['run', 'bundle', app, folder], { cwd: repository });

  const [uid = 0, gid = 0] = (textOf(app, 'USER') ?? '').split(':').map(Number);
  // only root can start a process as another user
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  if (user.uid !== undefined) await chown(spool, uid, gid);
  const own = settingsOf(app);
  const env = { ...own, ...(own['LEAD_SPOOL_FOLDER'] !== undefined && { LEAD_SPOOL_FOLDER: spool }), PATH: bin };

  return {
    folder,
    start: ([file = '', ...args], settings = {}) => {
      const stdio = ['ignore', 'pipe', 'pipe'] as const;
      const child = spawn(file, args, { cwd: folder, env: { ...env, ...settings }, stdio: [...stdio], ...user });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (text: Buffer) => {
          output += text.toString();
        });
      }
      const kill = (signal: NodeJS.Signals) => void child.kill(signal);
      const endWithTests = () => kill('SIGKILL');
      process.once('exit', endWithTests);
      const ended = once(child, 'close').then(([status]: readonly unknown[]) => {
        process.off('exit', endWithTests);
        return typeof status === 'number' ? status : null;
      });
      return { output: () => output, kill, ended };
    },
  };
};
