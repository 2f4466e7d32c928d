import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './data-folder.ts';

const task = ['run', 'build:web', '--filter', '@leadback/console', '--output-logs=errors-only'];

/** Builds the pages of the console. turbo builds them only if their sources have changed. */
export const buildWeb = async (): Promise<void> => {
  await promisify(execFile)(join(root, 'node_modules', '.bin', 'turbo'), task, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
};
