import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './repository.ts';

export const dockerfileText: string = readFileSync(join(repository, 'Dockerfile'), 'utf8');

/** The values of APP: the stages that become images. */
export const apps: readonly string[] = Array.from(
  dockerfileText.matchAll(/^FROM app AS (\S+)$/gm),
  ([, name = '']) => name,
);
