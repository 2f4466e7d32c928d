import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 20;

/** Waits until something is so, and gives true; false when that takes longer than `patienceMs`. */
export const until = async (isSo: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await pause(pauseMs);
  }
  return true;
};
