import { quantile, type Figures } from './figures.ts';
import { canReadProcesses, residentMb, treeCpu } from './process-tree.ts';

const samplesPerSecond = 5;

type ProcessIds = Readonly<Record<string, number>>;

/**
 * Starts to count the CPU time of processes, given by name. The function that it returns ends the count: microseconds of
 * each process per operation, their total, and apart from it the sandbox and this process, which production does not have.
 * Processes that started since then can be given to it.
 */
export const meterCpu = (processes: ProcessIds): ((operations: number, startedSince?: ProcessIds) => Figures) => {
  if (!canReadProcesses()) return () => ({});
  const before = treeCpu(Object.values(processes));
  const ownBefore = process.cpuUsage();

  return (operations, startedSince = {}) => {
    const all = { ...processes, ...startedSince };
    const after = treeCpu(Object.values(all));
    const { user, system } = process.cpuUsage(ownBefore);
    const each = Object.keys(all).map(
      (name, index) => [name, ((after[index] ?? 0) - (before[index] ?? 0)) / operations] as const,
    );
    const ofProduct = each.filter(([name]) => name !== 'sandbox');
    return Object.fromEntries([
      ...ofProduct.map(([name, cpu]) => [`CPU µs: ${name}`, cpu]),
      ['CPU µs: total of these', ofProduct.reduce((total, [, cpu]) => total + cpu, 0)],
      ...each.filter(([name]) => name === 'sandbox').map(([name, cpu]) => [`CPU µs: ${name}`, cpu]),
      ['CPU µs: load generator', (user + system) / operations],
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
