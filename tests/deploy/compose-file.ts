import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from './repository.ts';

const serviceSchema = z.looseObject({
  image: z.string(),
  build: z.strictObject({ context: z.literal('.'), args: z.strictObject({ APP: z.string() }) }).optional(),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
export type Service = z.infer<typeof serviceSchema>;

const fileSchema = z.object({ services: z.record(z.string(), serviceSchema) });

export const composeText = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');

const overlayFiles = globSync('deploy/compose/*.yml', { cwd: repository });

/** The files that change docker-compose.yml, by name. */
export const overlays: ReadonlyMap<string, string> = new Map(
  overlayFiles.map((file) => [basename(file, '.yml'), readFileSync(join(repository, file), 'utf8')]),
);

export const services: Readonly<Record<string, Service>> = fileSchema.parse(
  parse(composeText, { merge: true }),
).services;

/** The variables that deploy/compose/new-env.sh generates. */
export const newVariables = (): Readonly<Record<string, string | undefined>> =>
  parseEnv(execFileSync('sh', [join(repository, 'deploy', 'compose', 'new-env.sh')], { encoding: 'utf8' }));

/** Those that are different at each call. */
export const newSecrets = (): Readonly<Record<string, string | undefined>> => {
  const { POSTGRES_SHARED_BUFFERS: _size, ...secrets } = newVariables();
  return secrets;
};
