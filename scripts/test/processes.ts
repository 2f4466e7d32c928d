import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Of its program, or what the process calls itself. */
  readonly name: string;
  /** Stopped by a signal. */
  readonly isStopped: boolean;
  /** Of the process and of its children that have ended. */
  readonly cpuMicroseconds: number;
}

// a hundredth of a second, on every Linux that Node runs on
const microsecondsPerTick = 10_000;

const statOf = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the second field is the name in parentheses, which may contain anything
    const nameEnd = text.lastIndexOf(')');
    const name = text.slice(text.indexOf('(') + 1, nameEnd);
    const [state, ...others] = text.slice(nameEnd + 2).split(' ');
    const fields = others.map(Number);
    const [parent = 0] = fields;
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(10);
    const cpuMicroseconds = (user + system + userOfEnded + systemOfEnded) * microsecondsPerTick;
    return { pid, parent, name, isStopped: state === 'T', cpuMicroseconds };
  } catch {
    return undefined; // has ended since
  }
};

const allStats = (): Stat[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .map(statOf)
    .filter((stat) => stat !== undefined);

/** Finds all processes below one of them. */
const walkDown = (stats: readonly Stat[]) => {
  const childrenOf = Map.groupBy(stats, ({ parent }) => parent);
  const below = (pid: number): Stat[] => (childrenOf.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
  return below;
};

/** Whether this system tells the CPU time and memory of other processes. Linux does. */
export const canReadProcesses = (): boolean => existsSync('/proc/self/stat');

/**
 * CPU time that a process and everything that it started have used so far, in microseconds. Descendants that have ended
 * count if their parent waited for them, as PostgreSQL does for its backends.
 */
export const treeCpu = (pids: readonly number[]): number[] => {
  const stats = allStats();
  const below = walkDown(stats);
  const ownOf = new Map(stats.map(({ pid, cpuMicroseconds }) => [pid, cpuMicroseconds]));
  return pids.map((pid) =>
    below(pid).reduce((total, { cpuMicroseconds }) => total + cpuMicroseconds, ownOf.get(pid) ?? 0),
  );
};

/** Resident memory of a process in MB (10^6 bytes). */
export const residentMb = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1_024) / 1e6;
};
