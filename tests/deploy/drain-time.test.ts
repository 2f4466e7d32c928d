import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';
import { apps } from './kubernetes/manifests.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** A limit in milliseconds, read from the source, in seconds. */
const secondsOf = (file: string, bound: string): number => {
  const [, digits] = new RegExp(`\\b${bound}(?: =|:) ([\\d_]+)\\b`).exec(read(file)) ?? [];
  if (digits === undefined) throw new Error(`no ${bound} in ${file}: update the shutdown times in this file`);
  return Number(digits.replaceAll('_', '')) / 1_000;
};

const operations = secondsOf('packages/server/src/http/serve.ts', 'closeMaxMs');
const offered = secondsOf('packages/server/src/http/serve.ts', 'drainMs') + operations;
const connection = secondsOf('packages/server/src/broker/connection.ts', 'closeTimeoutMs');
const consumer = secondsOf('packages/server/src/broker/consumer.ts', 'drainMaxMs') + connection;
const verdicts = secondsOf('apps/feedback-worker/src/main.ts', 'stopMaxMs');
const delivery = secondsOf('apps/feedback-worker/src/consume.ts', 'drainMaxMs');

/** The maximum shutdown time of each app: the sum of its limits. */
const drainSeconds = {
  landing: offered + operations + consumer,
  api: offered + operations + connection,
  'feedback-worker': operations + consumer + verdicts + delivery,
  console: offered + operations,
};

const composeSchema = z.object({
  services: z.record(z.string(), z.object({ stop_grace_period: z.string().optional() })),
});

it.each(Object.entries(drainSeconds))(
  'compose and Kubernetes give %s enough time to shut down gracefully',
  (app, seconds) => {
    const { services } = composeSchema.parse(parse(read('docker-compose.yml'), { merge: true }));
    const [, given] = /^(\d+)s$/.exec(services[app]?.stop_grace_period ?? '') ?? [];
    expect(Number(given)).toBeGreaterThanOrEqual(seconds);
    const pod = apps.find(({ name }) => name === app);
    const preStop = pod?.container.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(pod?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + seconds);
  },
);
