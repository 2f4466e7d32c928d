import { sendFor, startJobs, startLibrary } from '../baselines/baseline.ts';
import type { BenchStack } from '../bench-stack.ts';
import { buildBacklog } from '../build-backlog.ts';
import { meterCpu, type ProcessIds } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { warmUpSeconds } from '../given-account.ts';
import type { BenchProcess } from '../bench-process.ts';
import { closedWithin, untilNoneCloses } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { say } from '../say.ts';
import { clearEvents } from '../sandbox.ts';

const [library, jobs] = ['facebook-nodejs-business-sdk, one by one', 'graphile-worker, a request per job'];

// enough for the fastest that either may become
const deliveriesPerSecond = 20_000;
const jobsPerSecond = 4_000;
// before each measurement
const beforeSeconds = 0.5;

const switchConnections = ({ pool }: BenchStack, state: 'active' | 'paused') =>
  pool.query('update platform_connection set state = $1', [state]);

/** The worker runs all the time, so that it is warm; between measurements, its connection is paused. */
const workerFor =
  (stack: BenchStack, processes: ProcessIds, sandbox: number) =>
  async (warmUp: number, seconds: number): Promise<Figures> => {
    await clearEvents(stack);
    const cpu = meterCpu({ processes, apart: { sandbox } });
    const startMs = Date.now();
    await switchConnections(stack, 'active');
    const closed = await closedWithin(stack.pool, { startMs, warmUpSeconds: warmUp, seconds });
    const figures = cpu(closed.inAll);
    await switchConnections(stack, 'paused');
    await untilNoneCloses(stack.pool);
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
    const rows = deliveriesPerSecond * Math.ceil((beforeSeconds + seconds + 1) * rounds + warmUpSeconds);
    await buildBacklog(stack, { rows, connections: 1, platform: 'meta' });
    const sandbox = await stack.startApp('sandbox');
    await switchConnections(stack, 'paused');
    const { pid } = await stack.startApp('feedback-worker');
    const deliver = workerFor(stack, { ...stack.servers, 'feedback-worker': pid }, sandbox.pid);
    say('  warming up');
    await deliver(0, warmUpSeconds);
    return {
      measurements: new Map([['feedback-worker', () => deliver(beforeSeconds, seconds)]]),
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
