import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { describe, expect, it } from 'vitest';

const start = async () => {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: new URL('..', import.meta.url),
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, line: String(line) };
};

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it listens and ends at %s, whoever holds on to it',
    async (signal) => {
      const { child, line } = await start();
      expect(line).toMatch(/^platform-sandbox listens on http:\/\/127\.0\.0\.1:\d+\n$/);

      const agent = new Agent({ keepAlive: true });
      const [response] = await once(get(`${line.trim().split(' ').at(-1)}/health`, { agent }), 'response');
      response.resume();
      await once(response, 'end');

      const exited = once(child, 'exit', { signal: AbortSignal.timeout(3000) });
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
      agent.destroy();
    },
  );
});
