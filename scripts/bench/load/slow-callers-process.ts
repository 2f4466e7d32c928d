// Keeps connections open whose requests never end: each sends a byte of a header per second.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { respond } from '../bench-process.ts';

const wantedSchema = z.object({ url: z.string(), connections: z.int(), withinSeconds: z.number() });

const byteMs = 1_000;
const stepMs = 10;
const sockets = new Set<Socket>();

const openOne = ({ hostname, port, pathname }: URL): void => {
  const socket = connect(Number(port), hostname, () =>
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nx-slow: `),
  );
  sockets.add(socket);
  const timer = setInterval(() => socket.write('x'), byteMs);
  socket.on('error', () => {}); // cut off: it counts as closed
  socket.resume().once('close', () => {
    clearInterval(timer);
    sockets.delete(socket);
  });
};

// Not all at the same moment: they would all be cut off at the same moment, too. Those that are cut off are replaced.
const keepOpen = async (url: URL, connections: number, perStep: number): Promise<never> => {
  for (;;) {
    const missing = Math.min(perStep, connections - sockets.size);
    for (let added = 0; added < missing; added += 1) openOne(url);
    await pause(stepMs);
  }
};

respond(async (message) => {
  const { url, connections, withinSeconds } = wantedSchema.parse(message);
  void keepOpen(new URL(url), connections, Math.ceil((connections * stepMs) / (withinSeconds * 1_000)));
  while (sockets.size < connections) await pause(stepMs);
  return sockets.size;
});
