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
import { apps, ofKind, workloads } from './example.ts';
import { kubectl } from './kubectl.ts';

const execute = promisify(execFile);
const prometheus = join(root, 'deploy', 'prometheus');

const scrapeFile = z.object({
  scrape_configs: z.tuple([
    z.object({
      kubernetes_sd_configs: z.unknown(),
      relabel_configs: z.array(
        z.object({
          source_labels: z.array(z.string()),
          regex: z.string().optional(),
          action: z.enum(['keep', 'drop']).optional(),
          target_label: z.string().optional(),
        }),
      ),
    }),
  ]),
});
const yamlOf = async (file: string): Promise<unknown> => parse(await readFile(file, 'utf8'));
const temporary = (prefix: string) => mkdtemp(join(inject('temporaryFolder'), prefix));

/** The labels of a target after these rules; undefined if the target is dropped. */
const relabelled = (
  rules: z.infer<typeof scrapeFile>['scrape_configs'][0]['relabel_configs'],
  target: Readonly<Record<string, string>>,
) => {
  const labels: Record<string, string> = { ...target };
  for (const { source_labels: sources, regex = '.*', action, target_label: name } of rules) {
    const value = sources.map((source) => labels[source] ?? '').join(';');
    const isMatch = new RegExp(`^(?:${regex})$`).test(value);
    if ((action === 'keep' && !isMatch) || (action === 'drop' && isMatch)) return;
    if (name !== undefined) labels[name] = value;
  }
  return labels;
};

describe('Prometheus in the cluster', () => {
  it('kubernetes.yml discovers only the apps, under the job names that alerts and dashboards use', async () => {
    const { scrape_configs: configs } = scrapeFile.parse(await yamlOf(join(prometheus, 'kubernetes.yml')));
    const targets = workloads.flatMap(({ name, metadata: { labels }, container: { ports } }) =>
      [...ports, { name: '' }].map((port) => ({
        __meta_kubernetes_pod_name: `${name}-x`,
        __meta_kubernetes_pod_phase: 'Running',
        __meta_kubernetes_pod_container_port_name: port.name,
        ...Object.fromEntries(
          Object.entries(labels).map(([label, value]) => [
            `__meta_kubernetes_pod_label_${label.replaceAll(/\W/g, '_')}`,
            value,
          ]),
        ),
      })),
    );
    const found = targets.flatMap((target) => {
      const labels = relabelled(configs[0].relabel_configs, target);
      return labels === undefined ? [] : [labels];
    });
    expect(found.map(({ job, instance }) => `${job} ${instance}`).toSorted()).toEqual(
      apps.map(({ name }) => `${name} ${name}-x`).toSorted(),
    );
    const [namespace] = ofKind('Namespace').map(({ metadata }) => metadata.name);
    expect(configs[0].kubernetes_sd_configs).toEqual([{ role: 'pod', namespaces: { names: [namespace] } }]);
    expect(apps.map(({ name }) => name).toSorted()).toEqual(['api', 'console', 'feedback-worker', 'landing']);
    const over = { ...targets[0], __meta_kubernetes_pod_phase: 'Succeeded' };
    expect(relabelled(configs[0].relabel_configs, over)).toBeUndefined();
  });

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
