import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../start/data-folder.ts';

const running = new Set<ReturnType<typeof spawn>>();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill(signal);
  });
}

/** Whether a signal has asked this process to end. */
export const isInterrupted = (): boolean => interrupted;

/**
 * Resolves with the exit status of a tool. Prints the output of tests at once, of other tools only if they fail. `settings`
 * are further environment variables.
 */
export const runTool = (
  command: string,
  testFolder?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = command.split(' ');
    const child = spawn(join(root, 'node_modules', '.bin', file), args, {
      cwd: root,
      env: {
        ...process.env,
        TURBO_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        // the tests start hundreds of processes with the same sources
        NODE_COMPILE_CACHE: join(tmpdir(), 'leadback-test-compiled'),
        ...settings,
        ...(testFolder !== undefined && { LEADBACK_TEST_FOLDER: testFolder }),
      },
      stdio: testFolder === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    let output = '';
    const keep = (text: Buffer) => {
      output += text.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (status) => {
      running.delete(child);
      if (status !== 0) process.stdout.write(output);
      resolve(status ?? 1);
    });
  });
