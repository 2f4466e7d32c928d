import { z } from 'zod';
import { alertRules, dashboards, promqlNames, scrapedJobs } from '../../tests/deploy/monitoring-files.ts';
import { addresses } from './load.ts';
import type { Report } from './report.ts';
import { type ComposeStack, until } from './stack.ts';

const dataOf = <Data>(data: z.ZodType<Data>) => z.object({ status: z.literal('success'), data });
const targetsSchema = dataOf(
  z.object({
    activeTargets: z.array(
      z.object({ labels: z.object({ job: z.string() }), health: z.string(), lastError: z.string() }),
    ),
  }),
);
const rulesSchema = dataOf(
  z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ name: z.string(), health: z.string(), state: z.string(), lastError: z.string().optional() }),
        ),
      }),
    ),
  }),
);
const namesSchema = dataOf(z.array(z.string()));
const resultSchema = dataOf(z.object({ result: z.array(z.unknown()) }));

const ask = async <Data>(
  schema: z.ZodType<{ data: Data }>,
  path: string,
  query: Record<string, string> = {},
): Promise<Data> => {
  const response = await fetch(`${addresses.prometheus}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
  const reply: unknown = await response.json();
  if (!response.ok) throw new Error(`${path} ${JSON.stringify(query)}: ${JSON.stringify(reply)}`);
  return schema.parse(reply).data;
};

const ruleStates = async () => (await ask(rulesSchema, 'rules')).groups.flatMap(({ rules }) => rules);

const panelQueries = (): string[] =>
  dashboards().flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));

// for a minute, while nothing was scraped yet
const settleMs = 120_000;

/** Lets a Prometheus with the files of the repository scrape the apps, and asks it what dashboards and alerts ask. */
export const checkMonitoring = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('monitoring');
  await check('Prometheus starts with the configuration of the repository and reaches every app', async () => {
    await stack.compose('--profile', 'watch', 'up', '--detach', 'prometheus');
    const jobs = scrapedJobs();
    return until(
      'all targets are up',
      async () => {
        const { activeTargets } = await ask(targetsSchema, 'targets').catch(() => ({ activeTargets: [] }));
        const up = new Set(activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.job));
        return jobs.every((job) => up.has(job)) && jobs.join(', ');
      },
      { timeoutMs: settleMs },
    );
  });
  await check('every alert is evaluated without an error, and none fires for a healthy stack', async () => {
    const wanted = alertRules().length;
    const states = await until(
      'all rules are evaluated',
      async () => {
        const found = await ruleStates();
        return found.length === wanted && found.every(({ health }) => health !== 'unknown') && found;
      },
      { timeoutMs: settleMs },
    );
    const wrong = states.filter(({ health, state }) => health !== 'ok' || state === 'firing');
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong.slice(0, 3)));
    return `${wanted} alerts`;
  });
  await check('every query of the dashboards is accepted', async () => {
    const queries = panelQueries();
    let full = 0;
    for (const query of queries) {
      const { result } = await ask(resultSchema, 'query', { query });
      if (result.length > 0) full += 1;
    }
    return `${queries.length} queries, ${full} with data`;
  });
  await check('every metric that an alert or a dashboard names is there', async () => {
    const expressions = [...panelQueries(), ...alertRules().map(({ expr }) => expr)];
    const named = new Set(expressions.flatMap((expr) => promqlNames(expr).map(({ metric }) => metric)));
    const there = new Set(await ask(namesSchema, 'label/__name__/values'));
    const missing = [...named].filter((name) => name !== '' && name !== 'ALERTS' && !there.has(name));
    if (missing.length > 0) throw new Error(missing.join(', '));
    return `${named.size} metrics`;
  });
};
