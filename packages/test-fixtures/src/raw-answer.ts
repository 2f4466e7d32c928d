import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Sends bytes, keeps the connection open, and returns all that the server sends until it closes the connection. */
export const rawAnswer = async (port: number, wire: string): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {}); // a server that closes at once may reset the connection
  socket.write(wire, 'latin1');
  return (await buffer(socket).catch(() => Buffer.alloc(0))).toString('latin1');
};

const silenceMs = 250;
// for a slow machine
const timeoutMs = 10_000;

/** Sends arbitrary bytes and returns the response. A request that never ends is ended. */
export const answerToBytes = async (port: number, wire: Buffer, endAfterMs = silenceMs): Promise<Buffer> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setTimeout(endAfterMs, () => socket.end());
  socket.write(wire);
  const answer = await buffer(socket);
  return answer.length === 0 && endAfterMs < timeoutMs ? answerToBytes(port, wire, timeoutMs) : answer;
};
