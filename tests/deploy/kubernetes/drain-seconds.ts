import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** A limit in milliseconds, read from the source, in seconds. */
const secondsOf = (file: string, bound: string): number => {
  const [, digits] = new RegExp(`const ${bound} = ([\\d_]+);`).exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`no ${bound} in ${file}: update the shutdown times in this file`);
  return Number(digits.replaceAll('_', '')) / 1_000;
};

const server = 'packages/server/src/http/serve.ts';
const operations = secondsOf(server, 'closeMaxMs');
const offered = secondsOf('packages/server/src/http/serve.ts', 'drainMs') + secondsOf(server, 'closeMaxMs');
const connection = secondsOf('packages/server/src/broker/connection.ts', 'closeTimeoutMs');
const consumer = secondsOf('packages/server/src/broker/consumer.ts', 'drainMaxMs') + connection;
const verdicts = secondsOf('apps/feedback-worker/src/request-status.ts', 'stopMaxMs');
const delivery = secondsOf('apps/feedback-worker/src/consume.ts', 'drainMaxMs');

/** The maximum shutdown time of each app: the sum of its limits. */
export const drainSeconds: Readonly<Record<string, number>> = {
  landing: offered + operations + consumer,
  api: offered + operations + connection,
  'feedback-worker': operations + consumer + verdicts + delivery,
  console: offered + operations,
};
