// Sends events to the sandbox with graphile-worker: a job and a request each, ten jobs at a time, otherwise its defaults.
import { Logger, run } from 'graphile-worker';
import { z } from 'zod';
import { respond } from '../bench-process.ts';
import { sendOnce } from '../send-once.ts';
import { ownPool } from './own-pool.ts';

const { DATABASE_URL: connectionString = '', SANDBOX_URL = '' } = process.env;
const eventsUrl = `${SANDBOX_URL}/v25.0/1234567890/events?access_token=t`;
const jobSchema = z.object({ n: z.number() });
const messageSchema = z.union([z.object({ add: z.number() }), z.object({ seconds: z.number() })]);
const pool = ownPool();
let sent = 0;

// hashed in advance: what it costs to build an event is not what is compared here
const eventOf = (n: number) => ({
  event_name: 'Purchase',
  event_id: `J${n}`,
  event_time: Math.floor(Date.now() / 1_000),
  action_source: 'system_generated',
  user_data: { external_id: ['0e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85'] },
  custom_data: { value: 10, currency: 'USD', order_id: `J${n}` },
});

const deliver = async (payload: unknown): Promise<void> => {
  const body = JSON.stringify({ data: [eventOf(jobSchema.parse(payload).n)] });
  await sendOnce(eventsUrl, { method: 'POST', body, expected: 200 });
  sent += 1;
};

const runner = () =>
  run({
    connectionString,
    concurrency: 10,
    maxPoolSize: 12,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { deliver },
  });

const addJobs = async (jobs: number): Promise<void> => {
  await (await runner()).stop(); // creates its tables
  const add = `select count(*) from graphile_worker.add_jobs(array(
    select row('deliver', json_build_object('n', n), null, null, null, null, null, null)::graphile_worker.job_spec
    from generate_series(1, $1::int) n))`;
  await pool.query(add, [jobs]);
  await pool.query('vacuum analyze');
};

const runFor = async (seconds: number) => {
  const running = await runner();
  const [start, first] = [performance.now(), sent];
  await new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000);
  });
  const [operations, elapsed] = [sent - first, (performance.now() - start) / 1_000];
  await running.stop();
  return { operations, seconds: elapsed };
};

respond(async (message) => {
  const asked = messageSchema.parse(message);
  return 'add' in asked ? await addJobs(asked.add) : await runFor(asked.seconds);
});
