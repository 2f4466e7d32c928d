import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { z } from 'zod';

const execute = promisify(execFile);
const here = join(import.meta.dirname, '..');

const packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

export interface InstalledPackage {
  /** A folder with an empty project that has installed the package. */
  readonly folder: string;
  /** The folder of the package. */
  readonly installed: string;
  readonly files: readonly string[];
  /** Writes files and runs a command in the project. Resolves to its standard output. */
  run(files: Readonly<Record<string, string>>, command: string, ...args: readonly string[]): Promise<string>;
}

/** Packs the SDK as for the registry, and installs it elsewhere. */
export const givenPackage = async (): Promise<InstalledPackage> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'sdk-'));
  const options = { cwd: here, env: { ...process.env, npm_config_loglevel: 'error' } };
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', folder], options);
  // the build prints before the JSON
  const [{ filename, files }] = packed.parse(JSON.parse(stdout.slice(stdout.indexOf('[\n'))));
  await writeFile(join(folder, 'package.json'), '{"name": "consumer", "private": true}');
  const npm = ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`];
  await execute('npm', npm, { ...options, cwd: folder });
  return {
    folder,
    installed: join(folder, 'node_modules', '@leadback', 'sdk'),
    files: files.map(({ path }) => path).toSorted(),
    async run(sources, command, ...args) {
      for (const [file, text] of Object.entries(sources)) {
        await mkdir(join(folder, file, '..'), { recursive: true });
        await writeFile(join(folder, file), text);
      }
      const ended = execute(command, args, { cwd: folder }).catch((error: unknown) => {
        const { stdout: out, stderr } = z.object({ stdout: z.string(), stderr: z.string() }).parse(error);
        throw new Error(`${command} ${args.join(' ')}: ${out}${stderr}`, { cause: error });
      });
      return (await ended).stdout;
    },
  };
};
