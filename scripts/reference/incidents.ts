import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { pageOf } from './table.ts';

const alertSchema = z.object({
  alert: z.string(),
  annotations: z.object({ meaning: z.string(), diagnose: z.string(), description: z.string(), impact: z.string() }),
});
const fileSchema = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(alertSchema) })) });

const firstSteps = `## First steps

1. Run \`operator doctor\` ([how](../operator.md#run-a-command)). It says what is wrong and how to fix it, and changes nothing.
2. One failure can fire several alerts. Begin with LeadbackDatabaseUnavailable, then LeadbackAppDown, LeadbackBrokerUnavailable, and the rest.
3. Open the overview in Grafana's folder Leadback: its first row is green if nothing needs action.
4. Search the logs: \`jq 'select(.level == "error")'\`.

With Docker Compose, \`docker compose exec rabbitmq rabbitmqctl\` and \`docker compose exec postgres psql -U postgres leadback\` run the other commands.

After a fix, pending deliveries are sent by themselves. But Meta and TikTok reject sales older than seven days (others: 90), and retries end after three days. Money is being lost if \`leadback_deliveries_overdue_seconds\` is above 1,800 (half an hour), if \`leadback_deliveries_waiting{waits_for="needs_attention"}\` is above 0, or if \`leadback_conversions_untold\` (sales that no connection takes), \`leadback_visits_total{lead="lost"}\` or \`leadback_leads_dead\` grows.`;

// an alert is also read where there are no links
const linked = (text: string) => text.trim().replaceAll(/`docs\/([\w-]+)\.md`/g, '[$1](../$1.md)');

const sectionOf = ({ alert, annotations }: z.infer<typeof alertSchema>): string =>
  [
    `## ${alert}`,
    `**Meaning** ${linked(annotations.meaning)}`,
    `**Diagnose** ${linked(annotations.diagnose)}`,
    `**Fix** ${linked(annotations.description)}`,
    `**Impact** ${linked(annotations.impact)}`,
  ].join('\n\n');

const sectionsOf = (isWanted: (group: string) => boolean): string[] => {
  const { groups } = fileSchema.parse(parse(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')));
  return groups.filter(({ name }) => isWanted(name)).flatMap(({ rules }) => rules.map(sectionOf));
};
const isOfServers = (group: string) => /-(apps|servers)$/.test(group);

export const incidentsPage = (): string =>
  pageOf(
    'Incidents: apps and servers',
    'For the engineer on call: find the alert that fires, diagnose it, fix it. Alerts about leads and deliveries have [a page of their own](incidents-of-deliveries.md).',
    firstSteps,
    ...sectionsOf(isOfServers),
  );

export const incidentsOfDeliveriesPage = (): string =>
  pageOf(
    'Incidents: leads and deliveries',
    'For the engineer on call. Begin with the [first steps](incidents.md#first-steps), which also say how to run the commands.',
    ...sectionsOf((group) => !isOfServers(group)),
  );
