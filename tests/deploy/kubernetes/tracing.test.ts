import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { apps, objects } from './example.ts';
import { manifests, rendered } from './rendered.ts';
import { environmentOf } from './settings-of.ts';
import { workloadsOf } from './workloads.ts';

it('uncommenting the example enables tracing in all four apps; by default it is off', async () => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'tracing-'));
  await cp(manifests, folder, { recursive: true });
  const file = join(folder, 'overlays', 'example', 'kustomization.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(/( {2}# - name: leadback-tracing\n)( {2}# {3}.*\n)+/, (lines) => lines.replaceAll('# ', '')),
  );
  const traced = await rendered('overlays/example', folder);
  const told = workloadsOf(traced).map((workload) => [
    workload.name,
    environmentOf(workload, traced).OTEL_EXPORTER_OTLP_ENDPOINT,
  ]);
  const collector = 'http://collector.monitoring.svc:4318';
  expect(Object.fromEntries(told)).toEqual({
    landing: collector,
    api: collector,
    'feedback-worker': collector,
    console: collector,
  });
  const before = apps.map((app) => environmentOf(app, objects).OTEL_EXPORTER_OTLP_ENDPOINT);
  expect(before).toEqual([undefined, undefined, undefined, undefined]);
});
