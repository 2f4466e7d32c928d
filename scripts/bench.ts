// `npm run bench`: the throughput of one instance of each app on this machine, compared with HTTP alone and PostgreSQL
// alone in the same run. `-- --seconds 30` measures each for longer.
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLeadbackApp } from '@leadback/local-stack';
import { z } from 'zod';
import { type BenchStack, benchStack } from './bench/bench-stack.ts';
import { type Rate, rateOf, requestRate } from './bench/load.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const span = { seconds: Number(values.seconds), callers: 64 };
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' };

/** Commits single rows over ten connections, as many as an app has. */
const commitRate = async ({ database }: BenchStack): Promise<Rate> => {
  await database.pool.query('create table bench (n int)');
  const rate = await rateOf({ ...span, callers: 10 }, async () => {
    await database.pool.query('insert into bench values (1)');
  });
  await database.pool.query('drop table bench');
  return rate;
};

/** Delivers the pending deliveries of the conversions before. */
const feedbackRate = async ({ around, database }: BenchStack): Promise<Rate> => {
  const pending = async () => {
    const { rows } = await database.pool.query(`select count(*)::int as n from feedback where state = 'pending'`);
    return z.tuple([z.object({ n: z.number() })]).parse(rows)[0].n;
  };
  await using _sandbox = await startLeadbackApp('sandbox', around);
  await using _worker = await startLeadbackApp('feedback-worker', around);
  const start = performance.now();
  const before = await pending();
  let left = before;
  while (left > 0 && performance.now() - start < span.seconds * 1_000) {
    await pause(100);
    left = await pending();
  }
  return { perSecond: ((before - left) / (performance.now() - start)) * 1_000 };
};

const measure = async (ending: AsyncDisposableStack): Promise<void> => {
  const stack = await benchStack(ending);
  const { around, database, apiUrl, landingUrl, operationsUrl, key } = stack;
  const landing = await startLeadbackApp('landing', around);

  const http = await requestRate(span, { url: `${operationsUrl}/health`, method: 'GET', expected: 200 });
  const commits = await commitRate(stack);
  const say = (name: string, { perSecond, p50, p99 }: Rate): void => {
    const figures = [perSecond.toFixed(0), p50?.toFixed(1) ?? '', p99?.toFixed(1) ?? ''];
    const ratios = [http, commits].map((alone) => (perSecond / alone.perSecond).toFixed(2));
    process.stdout.write(`| ${[name, ...figures, ...ratios].join(' | ')} |\n`);
  };
  process.stdout.write(`${cpus().length} cores, ${span.callers} connections, ${span.seconds} s each\n\n`);
  process.stdout.write(
    '| measured | per second | p50 ms | p99 ms | ratio to HTTP | ratio to commits |\n|---|---|---|---|---|---|\n',
  );
  say('HTTP alone: `/health`', http);
  say('PostgreSQL alone: single-row commits over ten connections', commits);

  const click = { url: `${landingUrl}/bench?gclid=bench`, method: 'GET', headers: browser, expected: 302 };
  say('landing: clicks, one lead each', await requestRate(span, click));
  await landing.stop();

  const api = await startLeadbackApp('api', around);
  const { rows } = await database.pool.query('select reference as "leadReference" from lead limit 1');
  const headers = { 'x-api-key': key };
  const post = async (path: string, bodyOf: (number: number) => unknown): Promise<Rate> => {
    let number = 0;
    const body = () => JSON.stringify(bodyOf((number += 1)));
    const asked = { url: `${apiUrl}${path}`, headers, body, expected: 201 };
    // query plans for empty tables are reused until the tables are analyzed
    await requestRate({ ...span, seconds: 0 }, asked);
    await database.pool.query('vacuum analyze');
    return requestRate(span, asked);
  };
  say('api: clients', await post('/client', (n) => ({ ...rows[0], externalReference: `C${n}`, email: 'a@x.example' })));
  const order = { clientExternalReference: 'C1', amount: 10, currency: 'USD' };
  const conversions = await post('/client/conversion', (n) => ({ ...order, conversionExternalReference: `O${n}` }));
  say('api: conversions, two deliveries each', conversions);
  say('feedback-worker: deliveries, sent and stored', await feedbackRate(stack));
  await api.stop();
};

await using ending = new AsyncDisposableStack();
await measure(ending);
