import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface Connection {
  /** Sends a request; one at a time. Calls back when the response has been read to its end. */
  readonly send: (bytes: Buffer, responded: () => void) => void;
  readonly close: () => void;
}

const headEnd = '\r\n\r\n';
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads a response from the start of the data. Returns how many bytes of its body are missing, or undefined if the end of
 * its head is missing. Throws if it has another status or no length.
 */
const missingBytes = (data: Buffer, expected: number): number | undefined => {
  const end = data.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!head.startsWith(`HTTP/1.1 ${expected} `) || length === undefined) {
    throw new Error(`expected status ${expected} with a content-length, received:\n${data.toString()}`);
  }
  return end + headEnd.length + Number(length) - data.length;
};

/** Opens a connection for requests whose responses have the expected status. Anything else throws uncaught. */
export const openConnection = async ({ hostname, port }: URL, expected: number): Promise<Connection> => {
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let [head, missing] = [nothing, 0];
  let responded: (() => void) | undefined;
  const finish = (): void => {
    const call = responded;
    responded = undefined;
    call?.();
  };

  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const found = missingBytes(head, expected);
      if (found === undefined) return;
      [head, missing] = [nothing, found];
    }
    if (missing === 0) finish();
  });
  socket.once('close', () => {
    if (responded) throw new Error('the server closed a connection before it responded');
  });
  return {
    send: (bytes, then) => {
      responded = then;
      socket.write(bytes);
    },
    close: () => socket.destroy(),
  };
};
