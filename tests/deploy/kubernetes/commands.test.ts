import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { codeBlocks, root } from '../../support/code-blocks.ts';
import { dashboards, dataSourceUid } from '../monitoring-files.ts';
import { kubectl, ofKind, secrets } from './manifests.ts';

const objectSchema = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
  data: z.record(z.string(), z.string()).default({}),
});
const yamlOf = async (file: string): Promise<unknown> =>
  parse(await readFile(join(root, 'deploy', 'prometheus', file), 'utf8'));
const decoded = (text = '') => Buffer.from(text, 'base64').toString();

/**
 * Runs a code block of docs/kubernetes.md. In place of `kubectl` and `docker`, the stubs write each object that a cluster
 * would get into the file `$output/$$`.
 */
const runBlock = async (block: string, stubs: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'cluster-'));
  const [programs, output] = [join(folder, 'programs'), join(folder, 'output')];
  await Promise.all([programs, output].map((path) => mkdir(path)));
  await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  const noted = `#!/bin/sh\noutput=${output}\nkubectl=${await kubectl()}\necho "$0 $*" >> ${folder}/command-lines\n`;
  for (const [name, does] of Object.entries(stubs)) {
    await writeFile(join(programs, name), `${noted}${does}\n`, { mode: 0o755 });
  }
  const script = codeBlocks('docs/kubernetes.md').find(({ name }) => name === block)?.code ?? 'false';
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
  await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env });
  const files = await Promise.all((await readdir(output)).map((file) => readFile(join(output, file), 'utf8')));
  const objects = files.map((text) => objectSchema.parse(parse(text)));
  return {
    commandLines: await readFile(join(folder, 'command-lines'), 'utf8'),
    objects: new Map(objects.map((one) => [one.metadata.name, one])),
  };
};

it('the documented commands create each secret with each key that the manifests refer to, and have no secret on a command line', async () => {
  const { commandLines, objects } = await runBlock('secrets', {
    kubectl: `case "$*" in *'create secret'*) $kubectl "$@" --dry-run=client -o yaml > $output/$$ ;; esac`,
    docker: `for app; do :; done; echo "$app.$SECRETS_KEY"`,
  });
  expect(ofKind('Secret')).toEqual([]);
  const key = '[\\w+/]{43}=';
  const patterns: Readonly<Record<string, (name: string) => string>> = {
    'leadback-database': (name) =>
      `postgres://leadback_${name.replaceAll('-', '_')}:…@postgres.servers.svc:5432/leadback\\?sslmode=verify-full`,
    'leadback-rabbitmq': (name) => `amqps://${name}:…@rabbitmq.servers.svc:5671/leadback`,
    'leadback-secrets-key': (name) => (name === 'SECRETS_KEY' ? key : `${name}\\.${key}`),
  };
  const created = Array.from(objects, ([name, { data }]) => [
    name,
    Object.fromEntries(Object.entries(data).map(([each, value]) => [each, decoded(value)])),
  ]);
  const expected = Object.entries(secrets).map(([name, values]) => [
    name,
    Object.fromEntries(
      Object.keys(values).map((each) => [each, expect.stringMatching(new RegExp(`^${patterns[name]?.(each)}$`))]),
    ),
  ]);
  expect(Object.fromEntries(created)).toEqual(Object.fromEntries(expected));
  expect(commandLines.match(/create secret generic/g)).toHaveLength(3);
  expect(commandLines.match(/secrets keys --app/g)).toHaveLength(4);
  expect(commandLines).not.toContain('…');
  expect(commandLines).not.toContain(decoded(objects.get('leadback-secrets-key')?.data['SECRETS_KEY']));
});

it('the documented commands give the Prometheus Operator the same scrape configuration, alerts and dashboards', async () => {
  const { objects } = await runBlock('watch', {
    kubectl: `case "$1" in apply) cat > $output/$$ ;; *) exec $kubectl "$@" ;; esac`,
  });
  const dataOf = (name: string) => Object.values(objects.get(name)?.data ?? {});
  expect([...objects.keys()].toSorted()).toEqual([
    'leadback',
    'leadback-dashboards',
    'leadback-datasource',
    'leadback-scrape',
  ]);
  const [scrape] = dataOf('leadback-scrape');
  expect({ scrape_configs: parse(decoded(scrape)) }).toEqual(await yamlOf('kubernetes.yml'));
  expect(objects.get('leadback')).toMatchObject({ kind: 'PrometheusRule', spec: await yamlOf('alerts.yml') });
  const [source = ''] = dataOf('leadback-datasource');
  expect(parse(source)).toMatchObject({
    datasources: [{ uid: dataSourceUid(), name: 'Leadback', url: 'http://prometheus-operated:9090' }],
  });
  expect(parse(source)).not.toHaveProperty('datasources.0.isDefault');
  expect(dataOf('leadback-dashboards')).toHaveLength(dashboards().length);
  expect(objects.get('leadback-dashboards')?.metadata.labels).toEqual({ grafana_dashboard: '1' });
  expect(objects.get('leadback-datasource')?.metadata.labels).toEqual({ grafana_datasource: '1' });
});
