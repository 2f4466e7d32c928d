import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { describe, expect, it } from 'vitest';

const startMain = async () => {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: new URL('..', import.meta.url),
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, line: String(line), [Symbol.dispose]: () => void child.kill('SIGKILL') };
};

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it listens and ends at %s, whoever holds on to it',
    async (signal) => {
      using main = await startMain();
      expect(main.line).toMatch(/^platform-sandbox listens on http:\/\/127\.0\.0\.1:\d+\n$/);

      const agent = new Agent({ keepAlive: true });
      const [response] = await once(get(`${main.line.trim().split(' ').at(-1)}/health`, { agent }), 'response');
      await once(response.resume(), 'end');

      const exited = once(main.child, 'exit', { signal: AbortSignal.timeout(3000) });
      main.child.kill(signal);
      expect(await exited).toEqual([0, null]);
    },
  );
});
