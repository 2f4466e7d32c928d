import { constants } from 'node:fs';
import { access, chmod, copyFile, cp, link, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { inject } from 'vitest';

/** A build stage, with a folder as its file system. */
export interface ScratchStage {
  readonly root: string;
  /** Its WORKDIR inside the image. */
  folder: string;
  readonly env: Record<string, string>;
}

/** The path on this machine of a path inside the stage. */
export const inside = ({ root, folder }: ScratchStage, path: string): string => {
  const index = join(root, posix.resolve(folder, path));
  return path.endsWith('/') ? `${index}${sep}` : index;
};

const newRoot = async () => {
  const scratch = inject('temporaryFolder');
  // the user of an image needs access
  await chmod(scratch, 0o755);
  const root = await mkdtemp(join(scratch, 'image-'));
  await chmod(root, 0o755);
  return root;
};

const global = join('usr', 'local');

/** A stage with the parts of the Node image that the builds use: node, and a folder for temporary files. */
export const nodeStage = async (): Promise<ScratchStage> => {
  const root = await newRoot();
  const node = join(root, global, 'bin', 'node');
  await mkdir(join(root, global, 'bin'), { recursive: true });
  // a hard link works only on the same file system
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node, constants.COPYFILE_FICLONE));
  await mkdir(join(root, 'tmp'));
  await chmod(join(root, 'tmp'), 0o1777);
  return { root, folder: '/', env: {} };
};

/** A stage based on another. Global installations are shared, not copied. */
export const stageFrom = async ({ root: from, folder, env }: ScratchStage): Promise<ScratchStage> => {
  const root = await newRoot();
  const shared = join(from, global);
  await access(shared);
  await cp(from, root, { recursive: true, verbatimSymlinks: true, filter: (source) => source !== shared });
  await symlink(shared, join(root, global));
  return { root, folder, env: { ...env } };
};
