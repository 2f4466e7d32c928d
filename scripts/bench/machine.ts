import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

export const machine = (): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? '',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${process.platform} ${release()}`,
  node: process.version,
});

/** The commit of a checkout, with a mark if files were changed since; empty outside of git. */
export const commitOf = (root: string): string => {
  try {
    const args = ['describe', '--always', '--dirty'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** One line for a heading. */
export const machineText = ({ cores, processor, memoryGb, system, node }: Machine): string =>
  `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node}`;
