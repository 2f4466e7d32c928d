import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 50;

/** Waits until the condition holds; returns false after `timeoutMs`. */
export const until = async (condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await pause(pauseMs);
  }
  return true;
};
