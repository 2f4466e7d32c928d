import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { codeBlocks, root } from '../../support/code-blocks.ts';
import { ofKind } from './example.ts';
import { kubectl } from './kubectl.ts';
import { secrets } from './settings-of.ts';

const execute = promisify(execFile);
const secretSchema = z
  .object({ metadata: z.object({ name: z.string() }), data: z.record(z.string(), z.string()) })
  .transform(({ metadata: { name }, data }) => [
    name,
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
  ]);

const keysOf = (all: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [name, Object.keys(values).toSorted()]));

describe('the documented commands that create the secrets', () => {
  let commandLines: string;
  let created: unknown;

  beforeAll(async () => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'secrets-'));
    const [programs, output] = [join(folder, 'programs'), join(folder, 'output')];
    await cp(join(root, 'deploy', 'kubernetes'), join(folder, 'deploy', 'kubernetes'), { recursive: true });
    await execute('mkdir', [programs, output]);
    const noted = `#!/bin/sh\necho "$0 $*" >> ${folder}/command-lines\n`;
    const stubs = {
      kubectl: `case "$*" in *'create secret'*) ${await kubectl()} "$@" --dry-run=client -o yaml > ${output}/$$ ;; esac`,
      docker: `for app; do :; done; echo "$app.$SECRETS_KEY"`,
    };
    for (const [name, does] of Object.entries(stubs)) {
      await writeFile(join(programs, name), `${noted}${does}\n`, { mode: 0o755 });
    }
    const script = codeBlocks('docs/kubernetes.md').find(({ name }) => name === 'secrets')?.code ?? 'false';
    const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
    await execute('sh', ['-euc', script], { cwd: folder, env });
    commandLines = await readFile(join(folder, 'command-lines'), 'utf8');
    const files = await Promise.all((await readdir(output)).map((file) => readFile(join(output, file), 'utf8')));
    created = Object.fromEntries(z.array(secretSchema).parse(files.map((text): unknown => parse(text))));
  });

  it('create each secret with each key that the manifests refer to', () => {
    expect(ofKind('Secret')).toEqual([]);
    const key = expect.stringMatching(/^[\w+/]{43}=$/);
    expect(created).toEqual({
      'leadback-database': Object.fromEntries(
        ['landing', 'api', 'feedback-worker', 'console', 'owner'].map((name) => [
          name,
          `postgres://leadback_${name.replaceAll('-', '_')}:…@postgres.servers.svc:5432/leadback?sslmode=verify-full`,
        ]),
      ),
      'leadback-rabbitmq': Object.fromEntries(
        ['landing', 'api', 'feedback-worker', 'operator'].map((name) => [
          name,
          `amqps://${name}:…@rabbitmq.servers.svc:5671/leadback`,
        ]),
      ),
      'leadback-secrets-key': {
        SECRETS_KEY: key,
        ...Object.fromEntries(
          ['landing', 'api', 'feedback-worker', 'console'].map((name) => [
            name,
            expect.stringMatching(new RegExp(`^${name}\\.[\\w+/]{43}=$`)),
          ]),
        ),
      },
    });
    expect(keysOf(z.record(z.string(), z.record(z.string(), z.string())).parse(created))).toEqual(keysOf(secrets));
  });

  it('have no secret on a command line', () => {
    const { 'leadback-secrets-key': keys } = z
      .object({ 'leadback-secrets-key': z.object({ SECRETS_KEY: z.string() }) })
      .parse(created);
    expect(commandLines.match(/create secret generic/g)).toHaveLength(3);
    expect(commandLines.match(/secrets keys --app/g)).toHaveLength(4);
    expect(commandLines).not.toContain('…');
    expect(commandLines).not.toContain(keys.SECRETS_KEY);
  });
});
