import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const readYaml = <Content>(schema: z.ZodType<Content>, ...path: string[]) => schema.parse(parse(read(...path)));

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook_path: z.string() }),
});

const panel = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  description: z.string().optional(),
  datasource: z.object({ uid: z.string() }).optional(),
  targets: z.array(z.object({ expr: z.string(), datasource: z.object({ uid: z.string() }) })).default([]),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
});

const dashboard = z.object({ uid: z.string(), title: z.string(), panels: z.array(panel) });

export const alertRules = () =>
  readYaml(
    z.object({ groups: z.array(z.object({ rules: z.array(rule) })) }),
    'deploy/prometheus/alerts.yml',
  ).groups.flatMap(({ rules }) => rules);

export const scrapedJobs = () =>
  readYaml(
    z.object({ rule_files: z.array(z.string()), scrape_configs: z.array(z.object({ job_name: z.string() })) }),
    'deploy/prometheus/prometheus.yml',
  ).scrape_configs.map(({ job_name }) => job_name);

export const dashboards = () =>
  readdirSync(join(root, 'deploy/grafana/dashboards')).map((file) =>
    dashboard.parse(JSON.parse(read('deploy/grafana/dashboards', file))),
  );

export const dataSourceUid = () =>
  readYaml(
    z.object({ datasources: z.tuple([z.object({ uid: z.string() })]) }),
    'deploy/grafana/provisioning/datasources/prometheus.yml',
  ).datasources[0].uid;

/** The mounted files and folders of a compose service, by their path in the container. */
export const mountsOf = (service: string): ReadonlyMap<string, string> => {
  const { services } = readYaml(
    z.object({ services: z.record(z.string(), z.object({ volumes: z.array(z.string()).default([]) })) }),
    'docker-compose.yml',
  );
  const volumes = services[service]?.volumes ?? [];
  return new Map(volumes.map((volume) => volume.split(':')).map(([from = '', to = '']) => [to, from]));
};

const incidentPages = ['docs/incidents.md', 'docs/incidents-leads-and-deliveries.md'];

/** The text of each alert's section of the incident pages, by the URL of the section. */
export const incidentSections = (): ReadonlyMap<string, string> =>
  new Map(
    incidentPages.flatMap((page) =>
      Array.from(
        read(page).matchAll(/^## (Leadback\w+)\n([^]*?)(?=\n## |$(?![^]))/gm),
        ([, alert = '', text = '']) => [`${page}#${alert.toLowerCase()}`, text] as const,
      ),
    ),
  );

/** The folder of the dashboards in the Grafana container. */
export const dashboardsFolder = () =>
  readYaml(
    z.object({ providers: z.tuple([z.object({ options: z.object({ path: z.string() }) })]) }),
    'deploy/grafana/provisioning/dashboards/leadback.yml',
  ).providers[0].options.path;
