import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Whether shared memory, and so PostgreSQL's buffers, gets transparent huge pages; never where Linux cannot tell. */
  readonly hasHugePages: boolean;
}

const hasHugePages = (): boolean => {
  try {
    // the chosen word is in brackets; the others give them to programs that ask, which PostgreSQL does not
    return /\[(always|force)\]/.test(readFileSync('/sys/kernel/mm/transparent_hugepage/shmem_enabled', 'utf8'));
  } catch {
    return false;
  }
};

export const machine = (): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? '',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${process.platform} ${release()}`,
  node: process.version,
  hasHugePages: hasHugePages(),
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
export const machineText = ({ cores, processor, memoryGb, system, node, hasHugePages: huge }: Machine): string =>
  `${cores} cores (${processor}), ${memoryGb} GB, ${huge ? 'buffers in huge pages' : 'no huge pages'}, ${system}, Node ${node}`;
