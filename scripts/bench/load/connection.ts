import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface Connection {
  /** Sends a request; one at a time. Calls back with its status when the response has been read to its end. */
  readonly send: (bytes: Buffer, responded: (status: number) => void) => void;
  readonly close: () => void;
}

const headEnd = '\r\n\r\n';
const nothing: Buffer = Buffer.alloc(0);

interface Head {
  readonly status: number;
  /** How many bytes of the body are missing. */
  readonly missing: number;
}

/**
 * Reads a response from the start of the data. Returns undefined if the end of its head is missing. Throws if it has another
 * status or no length.
 */
const readHead = (data: Buffer, expected: readonly number[]): Head | undefined => {
  const end = data.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  const status = expected.find((one) => head.startsWith(`HTTP/1.1 ${one} `));
  if (status === undefined || length === undefined) {
    throw new Error(`expected status ${expected.join(' or ')} with a content-length, received:\n${data.toString()}`);
  }
  return { status, missing: end + headEnd.length + Number(length) - data.length };
};

/** Opens a connection for requests whose responses have an expected status. Anything else throws uncaught. */
export const openConnection = async ({ hostname, port }: URL, expected: readonly number[]): Promise<Connection> => {
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let [head, missing, status] = [nothing, 0, 0];
  let responded: ((status: number) => void) | undefined;
  const finish = (): void => {
    const call = responded;
    responded = undefined;
    call?.(status);
  };

  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const found = readHead(head, expected);
      if (found === undefined) return;
      [head, missing, status] = [nothing, found.missing, found.status];
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
