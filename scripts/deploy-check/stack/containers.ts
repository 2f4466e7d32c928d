import type { Container } from './compose-stack.ts';

/** Kills what runs in a container, as a crash or the kernel would. Not docker kill, after which Docker would leave it stopped. */
export const killWithin = ({ State }: Container): void => void process.kill(State.Pid, 'SIGKILL');

/** Whether it runs and passes its health check, if it has one. */
export const isHealthy = ({ State }: Container): boolean =>
  State.Status === 'running' && (State.Health?.Status ?? 'healthy') === 'healthy';
