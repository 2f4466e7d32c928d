import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** A bound in milliseconds, read where it stands. */
const secondsOf = (file: string, bound: string): number => {
  const [, digits] = new RegExp(`const ${bound} = ([\\d_]+);`).exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (digits === undefined) throw new Error(`there is no ${bound} in ${file}: say here how long apps take to stop`);
  return Number(digits.replaceAll('_', '')) / 1_000;
};

const server = 'packages/http/src/serve.ts';
const operations = secondsOf(server, 'closeMaxMs');
const offered = secondsOf('packages/http/src/serve-app.ts', 'drainMs') + secondsOf(server, 'closeMaxMs');
const connection = secondsOf('packages/messaging/src/supervise-connection.ts', 'closeTimeoutMs');
const consumer = secondsOf('packages/messaging/src/queue-consumer.ts', 'drainMaxMs') + connection;
const verdicts = secondsOf('apps/feedback-worker/src/request-status-poller.ts', 'stopMaxMs');
const delivery = secondsOf('apps/feedback-worker/src/feedback-delivery.ts', 'drainMaxMs');

/** How long each app takes at most to stop, of what has a bound: one thing after the other. */
export const drainSeconds: Readonly<Record<string, number>> = {
  landing: offered + operations + consumer,
  api: offered + operations + connection,
  'feedback-worker': operations + consumer + verdicts + delivery,
};
