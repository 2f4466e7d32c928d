import { constants } from 'node:fs';
import { access, chmod, copyFile, cp, link, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { inject } from 'vitest';

/** A stage of a build, in a folder that stands for its file system. */
export interface ScratchStage {
  readonly root: string;
  /** Its WORKDIR, as seen from inside. */
  folder: string;
  readonly env: Record<string, string>;
}

/** Where something of the stage is on this machine. */
export const inside = ({ root, folder }: ScratchStage, path: string): string => {
  const index = join(root, posix.resolve(folder, path));
  return path.endsWith('/') ? `${index}${sep}` : index;
};

const newRoot = async () => {
  const scratch = inject('temporaryFolder');
  // the user of an image passes here
  await chmod(scratch, 0o755);
  const root = await mkdtemp(join(scratch, 'image-'));
  await chmod(root, 0o755);
  return root;
};

const global = join('usr', 'local');

/** What the image of Node brings, as far as anything here may use it: node, and a place for temporary files. */
export const nodeStage = async (): Promise<ScratchStage> => {
  const root = await newRoot();
  const node = join(root, global, 'bin', 'node');
  await mkdir(join(root, global, 'bin'), { recursive: true });
  // another file system than the repository's has its own copy
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node, constants.COPYFILE_FICLONE));
  await mkdir(join(root, 'tmp'));
  await chmod(join(root, 'tmp'), 0o1777);
  return { root, folder: '/', env: {} };
};

/** A stage that goes on where another has ended. What that one has installed globally is not copied but shared. */
export const stageFrom = async ({ root: from, folder, env }: ScratchStage): Promise<ScratchStage> => {
  const root = await newRoot();
  const shared = join(from, global);
  await access(shared);
  await cp(from, root, { recursive: true, verbatimSymlinks: true, filter: (source) => source !== shared });
  await symlink(shared, join(root, global));
  return { root, folder, env: { ...env } };
};
