import { randomInt } from 'node:crypto';
import { tryPort } from './try-port.ts';

// below the ports that the system gives to outgoing connections: there, a client that keeps trying a server that is
// down can end up connected to itself, and the server cannot come back
const lowest = 10_000;
const highest = 32_000;

/** A port that nobody listens on. Picked at random, so that test runs side by side do not pick the same one. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(lowest, highest);
  return tryPort(port).then(() => port, freePort);
};
