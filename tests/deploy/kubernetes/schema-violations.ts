import { execFile } from 'node:child_process';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { z } from 'zod';
import type { KubernetesObject } from './rendered.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

const moduleOf = ({ apiVersion, kind }: KubernetesObject) =>
  `${apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models'}/${apiVersion}/${kind}`;

const checkOf = (object: KubernetesObject, index: number) => `
import { ${object.kind} as Kind${index}, type I${object.kind} as Type${index} } from '${moduleOf(object)}';
const object${index}: Type${index} = ${JSON.stringify(object)};
new Kind${index}(object${index}).validate();`;

const configuration = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: { types: [] },
  files: ['objects.ts'],
};

const failure = z.object({ stdout: z.string(), stderr: z.string() });

const outputOnFailure = async (file: string, args: readonly string[]): Promise<string> => {
  try {
    await execute(file, args);
    return '';
  } catch (error) {
    const { stdout, stderr } = failure.parse(error);
    return stdout + stderr;
  }
};

/**
 * The schema violations of these objects; empty if there are none. Written as a program, the objects are checked by the
 * compiler, which finds unknown fields, and then by the schemas' validators.
 */
export const schemaViolations = async (objects: readonly KubernetesObject[]): Promise<string> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'kubernetes-'));
  const file = join(folder, 'objects.ts');
  await symlink(join(root, 'tests', 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  await writeFile(file, objects.map(checkOf).join('\n'));
  const types = await outputOnFailure(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
  return types === '' ? await outputOnFailure(process.execPath, [file]) : types;
};
