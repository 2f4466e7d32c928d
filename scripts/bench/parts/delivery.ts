import { sendFor, startJobs, startLibrary } from '../baselines/baseline.ts';
import type { BenchStack } from '../bench-stack.ts';
import { buildBacklog } from '../build-backlog.ts';
import { meterCpu, type ProcessIds } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { warmUpSeconds } from '../given-account.ts';
import type { BenchProcess } from '../bench-process.ts';
import { closedWithin } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { clearEvents } from '../sandbox.ts';

const [library, jobs] = ['facebook-nodejs-business-sdk, one by one', 'graphile-worker, a request per job'];

// enough for the fastest that either may become
const deliveriesPerSecond = 30_000;
const jobsPerSecond = 4_000;
// before each measurement of a baseline, which runs on
const beforeSeconds = 0.5;

const workerFor = (stack: BenchStack, seconds: number, sandbox: number) => async (): Promise<Figures> => {
  await clearEvents(stack);
  const cpu = meterCpu({ processes: { ...stack.servers }, apart: { sandbox } });
  const startMs = Date.now();
  const worker = await stack.startApp('feedback-worker');
  const closed = await closedWithin(stack.pool, { startMs, warmUpSeconds, seconds });
  const figures = cpu(closed.inAll, { 'feedback-worker': worker.pid });
  await worker.stop();
  return { 'per second': closed.measured / seconds, ...figures };
};

const senderFor =
  (stack: BenchStack, processes: ProcessIds, sender: BenchProcess, seconds: number, sandbox: number) =>
  async (): Promise<Figures> => {
    await clearEvents(stack);
    await sendFor(sender, beforeSeconds);
    const cpu = meterCpu({ processes, apart: { sandbox } });
    const sent = await sendFor(sender, seconds);
    return { 'per second': sent.operations / sent.seconds, ...cpu(sent.operations) };
  };

export const delivery: Part = {
  does: () => 'delivery: due deliveries of one connection to Meta, whose sandbox responds at once',
  goals: () => [
    { measurement: 'feedback-worker', figure: 'per second', beside: library, target: { atLeast: 10 } },
    { measurement: 'feedback-worker', figure: 'per second', beside: jobs, target: { atLeast: 3 } },
  ],
  prepare: async ({ open, settings }) => {
    const { seconds, rounds } = settings;
    const stack = await open();
    // a worker starts and stops within about two seconds
    const rows = deliveriesPerSecond * Math.ceil((seconds + warmUpSeconds + 2) * rounds);
    await buildBacklog(stack, { rows, connections: 1, platform: 'meta' });
    const sandbox = await stack.startApp('sandbox');
    return {
      measurements: new Map([['feedback-worker', workerFor(stack, seconds, sandbox.pid)]]),
      baselines: async () => {
        await stack.pool.query('create database jobs');
        const url = new URL(stack.databaseUrl);
        url.pathname = '/jobs';
        const env = { DATABASE_URL: url.href, SANDBOX_URL: stack.sandboxUrl };
        const withLibrary = stack.use(startLibrary(env));
        const withJobs = stack.use(
          await startJobs(env, Math.ceil(jobsPerSecond * ((seconds + beforeSeconds + 1) * rounds + warmUpSeconds))),
        );
        for (const sender of [withLibrary, withJobs]) await sendFor(sender, warmUpSeconds);
        const { PostgreSQL } = stack.servers;
        return new Map([
          [library, senderFor(stack, { library: withLibrary.pid }, withLibrary, seconds, sandbox.pid)],
          [jobs, senderFor(stack, { 'graphile-worker': withJobs.pid, PostgreSQL }, withJobs, seconds, sandbox.pid)],
        ]);
      },
    };
  },
};
