import { randomInt } from 'node:crypto';
import { tryPort } from './try-port.ts';

// below the ephemeral ports: there, a client that retries a stopped server can connect to itself and block the port
const lowest = 10_000;
const highest = 32_000;

/** Picks at random, so that concurrent test runs do not pick the same port. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(lowest, highest);
  return tryPort(port).then(() => port, freePort);
};
