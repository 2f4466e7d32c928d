import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defineConfig } from 'tsup';

const here = import.meta.dirname;

/** Writes the types by TypeScript 7, which tsup cannot call: each file once for ESM and once for CommonJS. */
const writeTypes = async (outDir: string): Promise<void> => {
  const args = ['--project', join(here, 'src'), '--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  await promisify(execFile)(join(here, 'node_modules', '.bin', 'tsc'), [...args, '--outDir', outDir]);
  const files = (await readdir(outDir)).filter((file) => file.endsWith('.d.ts'));
  await Promise.all(
    files.map(async (file) => {
      const path = join(outDir, file);
      const text = await readFile(path, 'utf8');
      const importing = (extension: string) => text.replaceAll(/(?<=from '\.\/[\w-]+)\.ts(?=')/g, extension);
      await rm(path);
      await writeFile(path, importing('.js'));
      await writeFile(path.replace(/\.ts$/, '.cts'), importing('.cjs'));
    }),
  );
};

/** One file for each module system, for every runtime with `fetch`. */
export default defineConfig(({ outDir = 'dist' }) => ({
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  clean: true,
  onSuccess: () => writeTypes(outDir),
}));
