// Preloaded into an app, with a failpoint in its URL (see failpoint.ts): kills the app when it sends or receives a given
// text.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

const asked = new URL(import.meta.url).searchParams;
const moment = asked.get('moment');
const text = asked.get('text') ?? '';
const onceSaid = asked.get('onceSaid') ?? '';

const sockets = new WeakSet<object>();

const die = (): void => {
  writeSync(2, `${asked.get('mark')}\n`);
  process.kill(process.pid, 'SIGKILL');
};

const wordsOf = (chunk: unknown): string =>
  typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString('latin1') : '';

// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
Socket.prototype.write = new Proxy(Socket.prototype.write, {
  apply(write, socket: Socket, said: unknown[]) {
    const words = wordsOf(said[0]);
    if (words.includes(onceSaid)) sockets.add(socket);
    if (moment === 'saying' && sockets.has(socket) && words.includes(text)) die();
    return Reflect.apply(write, socket, said);
  },
});

// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
Socket.prototype.push = new Proxy(Socket.prototype.push, {
  apply(push, socket: Socket, received: unknown[]) {
    const isHeard = sockets.has(socket) && wordsOf(received[0]).includes(text);
    if (moment === 'hearing' && isHeard) die();
    const result: unknown = Reflect.apply(push, socket, received);
    if (moment === 'heard' && isHeard) setImmediate(die);
    return result;
  },
});
