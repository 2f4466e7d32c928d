import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';

export type Command = readonly [file: string, ...args: string[]];

/** As whom PostgreSQL runs. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export const startedByRoot = (): boolean => process.getuid?.() === 0;

// those of systemd's DynamicUser: no package creates users there
const idMin = 61_184;
const idMax = 65_519;

const users = (): string[][] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));

const unusedId = (): number => {
  const id = randomInt(idMin, idMax + 1);
  return users().some(([, , uid, gid]) => uid === String(id) || gid === String(id)) ? unusedId() : id;
};

/** Who runs the server of a data folder: its owner, or a user whom nothing else on this machine runs as. */
export const serverUserOf = (dataDir: string): ServerUser => {
  if (existsSync(dataDir)) return statSync(dataDir);
  const id = unusedId();
  return { uid: id, gid: id };
};

/**
 * PostgreSQL creates a cluster only as a user with a name. The group keeps other processes of that user away from the
 * memory and the open files of those that do.
 */
export const namedUser = ({ gid }: ServerUser): ServerUser => {
  const uid = ['nobody', 'daemon'].flatMap((name) => users().find(([found]) => found === name)?.[2] ?? []).at(0);
  if (uid === undefined) throw new Error('PostgreSQL needs the user nobody in /etc/passwd when it is started by root');
  return { uid: Number(uid), gid };
};

/**
 * PostgreSQL refuses to run as root. Returns the command unchanged for an ordinary user; for root, it runs as another user
 * without any capability.
 */
export const asUser = ({ uid, gid }: ServerUser, command: Command): Command =>
  startedByRoot()
    ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--inh-caps=-all', ...command]
    : command;

const copies = '/var/tmp';

/**
 * The folder of programs if the user can run one of them, else a copy that it can: the folders above may be for root alone.
 * Starts share the copy. Throws if somebody else has put something in its place.
 */
export const runnableBy = async (
  user: ServerUser,
  folder: string,
  program: string,
  version: string,
): Promise<string> => {
  const runs = (from: string) => runCommand(asUser(user, [join(from, program), '--version']));
  if (!startedByRoot()) return folder;
  try {
    await runs(folder);
    return folder;
  } catch {
    const copy = join(copies, `leadback-${basename(program)}-${version}`);
    if (!existsSync(copy)) {
      const unfinished = mkdtempSync(`${copy}-`);
      await runCommand(['cp', '-R', `${folder}/.`, unfinished]);
      await runCommand(['chmod', '-R', 'a+rX,go-w', unfinished]);
      chmodSync(unfinished, 0o755);
      try {
        renameSync(unfinished, copy);
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        if (!existsSync(copy)) throw error; // else another start was faster
      }
    }
    const { uid, mode } = lstatSync(copy);
    if (uid !== 0 || (mode & 0o170_022) !== 0o040_000) throw new Error(`${copy} is not of root alone; remove it`);
    await runs(copy);
    return copy;
  }
};
