import { cpus } from 'node:os';
import { type Figures, quantile } from './figures.ts';
import { canReadProcesses, residentMb, treeCpu } from './process-tree.ts';

const samplesPerSecond = 5;

type ProcessIds = Readonly<Record<string, number>>;

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** CPU time of the whole machine so far, in microseconds. */
const machineCpu = (): number =>
  sumOf(cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)) * 1_000;

/**
 * Starts to count the CPU time of processes, given by name. The function that it returns ends the count: microseconds of
 * each process per operation, their total, and apart from it the sandbox and this process, which production does not have.
 * Processes that started since then can be given to it.
 */
export const meterCpu = (processes: ProcessIds): ((operations: number, startedSince?: ProcessIds) => Figures) => {
  if (!canReadProcesses()) return () => ({});
  const before = treeCpu(Object.values(processes));
  const [ownBefore, machineBefore, start] = [process.cpuUsage(), machineCpu(), performance.now()];

  return (operations, startedSince = {}) => {
    const all = { ...processes, ...startedSince };
    const used = treeCpu(Object.values(all)).map((after, index) => after - (before[index] ?? 0));
    const { user, system } = process.cpuUsage(ownBefore);
    const others = machineCpu() - machineBefore - sumOf(used) - user - system;
    const elapsed = (performance.now() - start) * 1_000;

    const each = Object.keys(all).map((name, index) => [name, (used[index] ?? 0) / operations] as const);
    const ofProduct = each.filter(([name]) => name !== 'sandbox');
    return Object.fromEntries([
      ...ofProduct.map(([name, cpu]) => [`CPU µs: ${name}`, cpu]),
      ['CPU µs: total of these', sumOf(ofProduct.map(([, cpu]) => cpu))],
      ...each.filter(([name]) => name === 'sandbox').map(([name, cpu]) => [`CPU µs: ${name}`, cpu]),
      ['CPU µs: load generator', (user + system) / operations],
      ['cores busy with anything else', others / elapsed],
    ]);
  };
};

/** Samples the resident memory of a process. The function that it returns ends that: median and highest, in MB. */
export const meterMemory = (name: string, pid: number): (() => Figures) => {
  if (!canReadProcesses()) return () => ({});
  const samples = [residentMb(pid)];
  const timer = setInterval(() => samples.push(residentMb(pid)), 1_000 / samplesPerSecond);
  return () => {
    clearInterval(timer);
    return { [`MB: ${name}, median`]: quantile(samples, 0.5), [`MB: ${name}, highest`]: Math.max(...samples) };
  };
};
