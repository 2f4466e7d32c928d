import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** A limit in milliseconds, read from the source, in seconds. */
const secondsOf = (file: string, bound: string): number => {
  const [, digits] = new RegExp(`const ${bound} = ([\\d_]+);`).exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`no ${bound} in ${file}: update the shutdown times in this file`);
  return Number(digits.replaceAll('_', '')) / 1_000;
};

const server = 'packages/http/src/serve.ts';
const operations = secondsOf(server, 'closeMaxMs');
const offered = secondsOf('packages/http/src/serve.ts', 'drainMs') + secondsOf(server, 'closeMaxMs');
const connection = secondsOf('packages/messaging/src/connection.ts', 'closeTimeoutMs');
const consumer = secondsOf('packages/messaging/src/consumer.ts', 'drainMaxMs') + connection;
const verdicts = secondsOf('apps/feedback-worker/src/request-status.ts', 'stopMaxMs');
const delivery = secondsOf('apps/feedback-worker/src/consume.ts', 'drainMaxMs');

/** The maximum shutdown time of each app: the sum of its limits. */
export const drainSeconds: Readonly<Record<string, number>> = {
  landing: offered + operations + consumer,
  api: offered + operations + connection,
  'feedback-worker': operations + consumer + verdicts + delivery,
  console: offered + operations,
};
