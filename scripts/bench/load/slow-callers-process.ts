// Keeps connections open whose requests never end: each sends a byte of a header per second.
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { respond } from '../bench-process.ts';

const wantedSchema = z.object({ url: z.string(), connections: z.int(), withinSeconds: z.number() });

// strangers have processors of their own; these may only have what the api and its servers leave
setPriority(constants.priority.PRIORITY_LOW);

const byteMs = 1_000;
const stepMs = 1;
const sockets = new Set<Socket>();

const openOne = ({ hostname, port, pathname }: URL): void => {
  const socket = connect(Number(port), hostname, () =>
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nx-slow: `),
  );
  sockets.add(socket);
  socket.on('error', () => {}); // cut off: it counts as closed
  socket.resume().once('close', () => sockets.delete(socket));
};

function* inTurn(): Generator<Socket | undefined> {
  for (;;) {
    yield undefined;
    for (const socket of sockets) yield socket;
  }
}

/** How many are due at a rate, each time it is asked. */
const dueAt = (perMs: () => number) => {
  let [last, due] = [performance.now(), 0];
  return (): number => {
    const now = performance.now();
    due += (now - last) * perMs();
    last = now;
    const whole = Math.floor(due);
    due -= whole;
    return whole;
  };
};

// Strangers do not agree on a moment: bytes are spread over the second, and those that are cut off are replaced one after
// another. A timer for each would not do: those that are late at the same time stay together.
const keepOpen = async (url: URL, connections: number, withinMs: number): Promise<never> => {
  const turns = inTurn();
  const toOpen = dueAt(() => connections / withinMs);
  const toSend = dueAt(() => sockets.size / byteMs);
  for (;;) {
    for (let missing = Math.min(toOpen(), connections - sockets.size); missing > 0; missing -= 1) openOne(url);
    for (let due = toSend(); due > 0; due -= 1) {
      const { value: socket } = turns.next();
      if (socket?.writable && !socket.connecting) socket.write('x');
    }
    await pause(stepMs);
  }
};

respond(async (message) => {
  const { url, connections, withinSeconds } = wantedSchema.parse(message);
  void keepOpen(new URL(url), connections, withinSeconds * 1_000);
  while (sockets.size < connections) await pause(10);
  return sockets.size;
});
