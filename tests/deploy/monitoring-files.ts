import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
export const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
export const readYaml = <Content>(schema: z.ZodType<Content>, ...path: string[]) => schema.parse(parse(read(...path)));

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({
    summary: z.string(),
    meaning: z.string(),
    diagnose: z.string(),
    description: z.string(),
    impact: z.string(),
    runbook_path: z.string(),
  }),
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

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A label that an expression uses; without a value if it groups by the label. */
interface NamedLabel {
  readonly name: string;
  readonly operator?: string;
  readonly value?: string;
}

export interface NamedMetric {
  readonly metric: string;
  readonly labels: readonly NamedLabel[];
}

const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

/** All metrics of a PromQL expression, with their labels. Throws if the expression is not PromQL. */
export const promqlNames = (expression: string): NamedMetric[] => {
  const textOf = (node: Node | null) => (node ? expression.slice(node.from, node.to) : '');

  const walk = (node: Node, groups: readonly NamedLabel[]): NamedMetric[] => {
    if (node.type.isError) throw new Error(`not PromQL from "${expression.slice(node.from)}" on: ${expression}`);
    if (node.name === 'VectorSelector') {
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const labels = matchers.map((matcher) => ({
        name: textOf(matcher.getChild('LabelName')),
        operator: textOf(matcher.getChild('MatchOp')),
        value: textOf(matcher.getChild('StringLiteral')).slice(1, -1),
      }));
      return [{ metric: textOf(node.getChild('Identifier')), labels: [...labels, ...groups] }];
    }
    const grouped =
      node.name === 'AggregateExpr' ? node.getChild('AggregateModifier')?.getChild('GroupingLabels') : null;
    const own = grouped?.getChildren('LabelName').map((label) => ({ name: textOf(label) })) ?? [];
    return childrenOf(node).flatMap((child) => walk(child, [...groups, ...own]));
  };
  return walk(parser.parse(expression).topNode, []);
};
