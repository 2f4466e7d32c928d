import { chown, cp, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyFromContext } from './build-context.ts';
import type { Step } from './dockerfile.ts';
import { repository } from './repository.ts';
import { inside, type ScratchStage } from './scratch-stage.ts';

/** Changes the owner of a file, or of a folder and its contents, to the user of a `--chown`. */
const give = async (index: string, user: string): Promise<void> => {
  const [uid = Number.NaN, gid = Number.NaN] = user.split(':').map(Number);
  const entries = (await stat(index)).isDirectory() ? await readdir(index, { recursive: true }) : [];
  for (const entry of ['', ...entries]) await chown(join(index, entry), uid, gid);
};

/** Runs a COPY from the repository or an earlier stage. Of a folder it copies the contents. */
export const copyStep = async (stage: ScratchStage, { flags, text }: Step, from?: ScratchStage): Promise<void> => {
  const names = text.split(/\s+/);
  const target = names.pop() ?? '';
  for (const name of names) {
    const source = from ? inside(from, name) : join(repository, name);
    const isFolder = (await stat(source)).isDirectory();
    const index = inside(stage, isFolder || !target.endsWith('/') ? target : `${target}${basename(name)}`);
    if (from) await cp(source, index, { recursive: true, verbatimSymlinks: true });
    else await copyFromContext(source, index);
    // only root can change owners; other users run the image as themselves
    if (flags['chown'] !== undefined && process.getuid?.() === 0) await give(index, flags['chown']);
  }
};
