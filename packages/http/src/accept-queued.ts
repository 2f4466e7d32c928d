import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Accepts the connections that the kernel has already established, and reads the requests that have arrived, before
 * `server` closes: it would reset them. Node accepts one connection in each turn of its event loop.
 */
export const acceptQueued = async (server: Server, queuedMax: number): Promise<void> => {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turn = 0, before = -1; accepted !== before && turn < queuedMax; turn += 1) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
};
