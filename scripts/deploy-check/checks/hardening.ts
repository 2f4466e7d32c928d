import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';

export const apps = ['landing', 'api', 'feedback-worker', 'console', 'sandbox'] as const;
const memoryMb = 512;
const rootless = { Uid: '1000', CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' } as const;

/** The fields of /proc/PID/status. */
const statusOf = (pid: number): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/))
      .map(([name = '', value = '']) => [name, value.split('\t')[0] ?? '']),
  );

/** Runs JavaScript in the container of an app, and returns what it prints. */
export const inApp = ({ compose }: ComposeStack, app: string, code: string): Promise<string> =>
  compose('exec', '--no-TTY', app, 'node', '-e', code);

const insideSchema = z.object({ app: z.string(), etc: z.string(), tmp: z.string(), memory: z.number() });
const inside = `const fs = require('node:fs');
  const write = (file) => { try { fs.writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } };
  console.log(JSON.stringify({ app: write('/app/x'), etc: write('/etc/x'), tmp: write('/tmp/x'), memory: process.constrainedMemory() }));`;

/** Looks at the processes themselves, not at what the file says about them. */
export const checkHardening = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  await check('each app runs as user 1000, without capabilities and new privileges, under seccomp', async () => {
    for (const app of apps) {
      const { State } = await stack.container(app);
      const status = statusOf(State.Pid);
      for (const [name, wanted] of Object.entries(rootless)) {
        if (status.get(name) !== wanted) throw new Error(`${app}: ${name} is ${status.get(name)}, not ${wanted}`);
      }
    }
  });
  await check(`each app has a read-only root, a writable /tmp, and ${memoryMb} MB of memory`, async () => {
    for (const app of apps) {
      const seen = insideSchema.parse(JSON.parse(await inApp(stack, app, inside)));
      const wanted = { app: 'EROFS', etc: 'EROFS', tmp: 'written', memory: memoryMb * 1024 * 1024 };
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(`${app}: ${JSON.stringify(seen)}`);
    }
  });
  await check('health checks of all containers pass', async () => {
    for (const service of [...apps, 'postgres', 'rabbitmq']) {
      const { State } = await stack.container(service);
      if (State.Health?.Status !== 'healthy') throw new Error(`${service} is ${State.Health?.Status}`);
    }
  });
  await check('each line that the apps log is JSON with a level', async () => {
    const text = await stack.logs(...apps.filter((app) => app !== 'sandbox'));
    const lines = text.split('\n').filter((line) => line !== '');
    const line = z.object({ level: z.string(), msg: z.string() });
    const wrong = lines.filter((one) => {
      try {
        return !line.safeParse(JSON.parse(one)).success;
      } catch {
        return true;
      }
    });
    if (lines.length === 0 || wrong.length > 0) throw new Error(`${wrong.length} of ${lines.length}: ${wrong[0]}`);
    return `${lines.length} lines`;
  });
};
