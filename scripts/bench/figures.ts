import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** What a measurement found, in the order in which it is printed: `CPU µs: api` → 301. */
export type Figures = Readonly<Record<string, number>>;

export const quantile = (values: readonly number[], share: number): number =>
  Float64Array.from(values).toSorted()[Math.floor(values.length * share)] ?? Number.NaN;

export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

/** The median of each figure that all rounds have. */
export const medians = (rounds: readonly Figures[]): Figures => {
  const [first = {}] = rounds;
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, medianOf(rounds.map((figures) => figures[name] ?? Number.NaN))]),
  );
};

/** Tells on standard error what is being done; standard output has only figures. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

export type ProcessIds = Readonly<Record<string, number>>;

interface Metered {
  readonly processes: ProcessIds;
  /** What production does not have, such as the sandbox: not in the total. */
  readonly apart: ProcessIds;
}

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

// a hundredth of a second, on every Linux that Node runs on
const microsecondsPerTick = 10_000;

/** A process, its parent, and the CPU time of it and of its children that have ended. */
const statOf = (pid: number) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the second field is the name in parentheses, which may contain anything
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(1)
      .map(Number);
    const ticks = sumOf(fields.slice(10, 14));
    return { pid, parent: fields[0], cpuMicroseconds: ticks * microsecondsPerTick };
  } catch {
    return undefined; // has ended since
  }
};

/** Whether this system tells the CPU time and memory of other processes. Linux does. */
const canReadProcesses = existsSync('/proc/self/stat');

/**
 * CPU time that a process and everything that it started have used so far, in microseconds. Descendants that have ended
 * count if their parent waited for them, as PostgreSQL does for its backends.
 */
const treeCpu = (pids: readonly number[]): number[] => {
  const stats = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => statOf(pid) ?? []);
  const ofPid = new Map(stats.map((stat) => [stat.pid, stat]));
  const childrenOf = Map.groupBy(stats, ({ parent }) => parent);
  const cpuOf = (pid: number): number =>
    (ofPid.get(pid)?.cpuMicroseconds ?? 0) + sumOf((childrenOf.get(pid) ?? []).map((child) => cpuOf(child.pid)));
  return pids.map(cpuOf);
};

/** Resident memory of a process in MB (10^6 bytes). */
const residentMb = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1_024) / 1e6;
};

/** CPU time of the whole machine so far, in microseconds. */
const machineCpu = (): number =>
  sumOf(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)) * 1_000;

/**
 * Starts to count the CPU time of processes, given by name. The function that it returns ends the count: microseconds of
 * each process per operation, with their total. Processes that started since then can be given to it.
 */
export const meterCpu = ({
  processes,
  apart,
}: Metered): ((operations: number, startedSince?: ProcessIds) => Figures) => {
  if (!canReadProcesses) return () => ({});
  const counted = { ...processes, ...apart };
  const cpuBefore = treeCpu(Object.values(counted));
  const before = new Map(Object.keys(counted).map((name, index) => [name, cpuBefore[index] ?? 0]));
  const [ownBefore, machineBefore, start] = [process.cpuUsage(), machineCpu(), performance.now()];

  return (operations, startedSince = {}) => {
    const ofProduct = { ...processes, ...startedSince };
    const names = [...Object.keys(ofProduct), ...Object.keys(apart)];
    const after = treeCpu([...Object.values(ofProduct), ...Object.values(apart)]);
    const used = names.map((name, index) => (after[index] ?? 0) - (before.get(name) ?? 0));
    const { user, system } = process.cpuUsage(ownBefore);
    const others = machineCpu() - machineBefore - sumOf(used) - user - system;
    const elapsed = (performance.now() - start) * 1_000;

    const each = names.map((name, index): [string, number] => [`CPU µs: ${name}`, (used[index] ?? 0) / operations]);
    const products = each.slice(0, Object.keys(ofProduct).length);
    return Object.fromEntries([
      ...products,
      ['CPU µs: total of these', sumOf(products.map(([, cpu]) => cpu))],
      ...each.slice(products.length),
      ['cores busy with anything else', others / elapsed],
    ]);
  };
};

const samplesPerSecond = 5;

/** Samples the resident memory of a process. The function that it returns ends that: median and highest, in MB. */
export const meterMemory = (name: string, pid: number): (() => Figures) => {
  if (!canReadProcesses) return () => ({});
  const samples = [residentMb(pid)];
  const sample = (): void => {
    try {
      samples.push(residentMb(pid));
    } catch {
      clearInterval(timer); // it has ended, and what waits for it tells why
    }
  };
  const timer = setInterval(sample, 1_000 / samplesPerSecond);
  return () => {
    clearInterval(timer);
    return { [`MB: ${name}, median`]: quantile(samples, 0.5), [`MB: ${name}, highest`]: Math.max(...samples) };
  };
};
