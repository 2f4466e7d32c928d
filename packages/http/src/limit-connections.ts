import type { Server } from 'node:http';
import { networkOf } from './network-of.ts';

export interface ConnectionLimit {
  /** Of a network address: a whole IPv4 address, or 64 bits of an IPv6 address. */
  readonly perAddress: number;
  readonly onRefused?: () => void;
}

/** Closes each connection at once whose network address has as many open ones as it may. */
export const limitConnections = (server: Server, { perAddress, onRefused }: ConnectionLimit): void => {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      onRefused?.();
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
};
