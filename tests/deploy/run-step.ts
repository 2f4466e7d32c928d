import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from './repository.ts';
import { inside, type ScratchStage } from './scratch-stage.ts';

const execute = promisify(execFile);

const modules = z.object({ storeDir: z.string() });

/** The environment of this machine for a build: shell, npm, registry settings and pnpm's store. */
const lentEnvironment = (): NodeJS.ProcessEnv => {
  const { storeDir } = modules.parse(parse(readFileSync(join(repository, 'node_modules', '.modules.yaml'), 'utf8')));
  const { NODE_ENV: _ofTests, PATH = '', ...env } = process.env;
  // without the repository's own tools
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...env, PATH: folders.join(delimiter), PNPM_CONFIG_STORE_DIR: dirname(storeDir) };
};

/** Runs a RUN in the stage's folder. Throws with its output if it fails. */
export const runStep = async (stage: ScratchStage, command: string): Promise<void> => {
  const { PATH, ...lent } = lentEnvironment();
  const prefix = join(stage.root, 'usr', 'local');
  const env = {
    ...lent,
    ...stage.env,
    NPM_CONFIG_PREFIX: prefix,
    PATH: `${join(prefix, 'bin')}${delimiter}${PATH}`,
  };
  const options = { cwd: inside(stage, '.'), env, maxBuffer: Number.POSITIVE_INFINITY };
  await execute('/bin/sh', ['-c', command], options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`RUN ${command} failed:\n${error.stdout}${error.stderr}`);
  });
};
