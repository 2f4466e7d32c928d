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

1. Run \`operator doctor\` ([how](../operator.md#run-a-command)). It says what is wrong and how to fix it.
2. Of several alerts, begin with LeadbackDatabaseUnavailable, LeadbackAppDown, LeadbackBrokerUnavailable.
3. Open the overview in Grafana's folder Leadback.
4. Search the logs: \`jq 'select(.level == "error")'\`.

Docker Compose: \`docker compose exec rabbitmq rabbitmqctl\`, \`docker compose exec postgres psql -U postgres leadback\`.

After a fix, pending deliveries are sent by themselves. But retries end after three days, and Meta and TikTok reject sales older than seven days (others: 90). Money is being lost if

- \`leadback_deliveries_overdue_seconds\` is above 1,800;
- \`leadback_deliveries_waiting{waits_for="needs_attention"}\` is above 0;
- \`leadback_conversions_untold\` (sales that no connection takes), \`leadback_visits_total{lead="lost"}\` or \`leadback_leads_dead\` grows.`;

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
    'For the engineer on call. Alerts about leads and deliveries have [their own page](incidents-of-deliveries.md).',
    firstSteps,
    ...sectionsOf(isOfServers),
  );

export const incidentsOfDeliveriesPage = (): string =>
  pageOf(
    'Incidents: leads and deliveries',
    'For the engineer on call. Begin with the [first steps](incidents.md#first-steps).',
    ...sectionsOf((group) => !isOfServers(group)),
  );
