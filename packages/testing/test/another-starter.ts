import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Another process that starts a server; `kill` does not end what it started. */
export const anotherStarter = async (what: 'postgres' | 'rabbitmq', dir: string) => {
  const starter = spawn(process.execPath, [join(import.meta.dirname, 'starter.ts'), what, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(starter.stdout, 'data');
  return {
    startedPid: Number(pid),
    kill: async () => {
      starter.kill('SIGKILL');
      await once(starter, 'exit');
    },
  };
};
