import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { canReadProcesses, descendantsOf, pauseProcesses } from './processes.ts';

it.runIf(canReadProcesses())('pauses processes below one of them again and again, and leaves none paused', async () => {
  const { pid: root = 0 } = spawn('sh', ['-c', 'sleep 600 & sleep 600 & wait']);
  const stopped = () => descendantsOf(root).filter(({ isStopped }) => isStopped);
  await expect.poll(() => descendantsOf(root).map(({ name }) => name)).toEqual(['sleep', 'sleep']);
  const paused = new Set<number>();
  const countPaused = () => {
    for (const { pid } of stopped()) paused.add(pid);
    return paused.size;
  };
  {
    await using _pausing = pauseProcesses(root);
    await expect.poll(countPaused, { interval: 5 }).toBe(2);
  }
  await expect.poll(stopped).toEqual([]);
  for (const { pid } of descendantsOf(root)) process.kill(pid);
});
