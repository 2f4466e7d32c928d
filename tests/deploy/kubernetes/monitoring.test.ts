import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { codeBlocks, root } from '../../support/code-blocks.ts';
import { dashboards, dataSourceUid } from '../monitoring-files.ts';
import { promtool } from '../promtool.ts';
import { kubectl } from './kubectl.ts';

const execute = promisify(execFile);
const prometheus = join(root, 'deploy', 'prometheus');

const yamlOf = async (file: string): Promise<unknown> => parse(await readFile(file, 'utf8'));
const temporary = (prefix: string) => mkdtemp(join(inject('temporaryFolder'), prefix));

describe('Prometheus in the cluster', () => {
  it('Prometheus accepts kubernetes.yml', async () => {
    const folder = await temporary('scrape-');
    const file = join(folder, 'prometheus.yml');
    // Debian's promtool is built without Kubernetes
    const text = await readFile(join(prometheus, 'kubernetes.yml'), 'utf8');
    await writeFile(file, text.replace(/kubernetes_sd_configs: .*/, `static_configs: [{ targets: ['x:1'] }]`));
    expect(await promtool('check', 'config', file)).toContain('SUCCESS');
  });

  it('the documented commands give the Prometheus Operator the same files', async () => {
    const folder = await temporary('watch-');
    const applied = join(folder, 'applied');
    await mkdir(applied);
    const stub = `#!/bin/sh\ncase "$1" in apply) cat > ${applied}/$$ ;; *) exec ${await kubectl()} "$@" ;; esac\n`;
    await writeFile(join(folder, 'kubectl'), stub, { mode: 0o755 });
    const script = codeBlocks('docs/kubernetes.md').find(({ name }) => name === 'watch')?.code ?? 'false';
    await execute('sh', ['-euc', script], {
      cwd: root,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });
    const files = await Promise.all((await readdir(applied)).map((file) => yamlOf(join(applied, file))));
    const schema = z.looseObject({
      kind: z.string(),
      metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
      data: z.record(z.string(), z.string()).default({}),
    });
    const objects = new Map(files.map((file) => schema.parse(file)).map((one) => [one.metadata.name, one]));
    const dataOf = (name: string) => Object.values(objects.get(name)?.data ?? {});

    expect([...objects.keys()].toSorted()).toEqual([
      'leadback',
      'leadback-dashboards',
      'leadback-datasource',
      'leadback-scrape',
    ]);
    const [scrape = ''] = dataOf('leadback-scrape');
    const { scrape_configs: configs } = z
      .object({ scrape_configs: z.unknown() })
      .parse(await yamlOf(join(prometheus, 'kubernetes.yml')));
    expect(parse(Buffer.from(scrape, 'base64').toString())).toEqual(configs);
    expect(objects.get('leadback')).toMatchObject({
      kind: 'PrometheusRule',
      spec: await yamlOf(join(prometheus, 'alerts.yml')),
    });
    const [source = ''] = dataOf('leadback-datasource');
    expect(parse(source)).toMatchObject({
      datasources: [{ uid: dataSourceUid(), name: 'Leadback', url: 'http://prometheus-operated:9090' }],
    });
    expect(parse(source)).not.toHaveProperty('datasources.0.isDefault');
    expect(dataOf('leadback-dashboards')).toHaveLength(dashboards().length);
    expect(objects.get('leadback-dashboards')?.metadata.labels).toEqual({ grafana_dashboard: '1' });
    expect(objects.get('leadback-datasource')?.metadata.labels).toEqual({ grafana_datasource: '1' });
  });
});
