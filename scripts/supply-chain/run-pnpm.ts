import { spawnSync } from 'node:child_process';
import { root } from '../start/data-folder.ts';

export interface PnpmEnd {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the pinned pnpm, which scripts/run.mjs puts on PATH, in the root of the repository. */
export const runPnpm = (args: readonly string[]): PnpmEnd => {
  const { error, status, stdout, stderr } = spawnSync('pnpm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  return { status: status ?? 1, stdout, stderr };
};
