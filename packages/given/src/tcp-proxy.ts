import { createConnection, createServer, type Socket } from 'node:net';

export interface TcpProxy extends AsyncDisposable {
  /** The given address, by way of the proxy. */
  readonly url: string;
  /** Resets every connection and takes no more, as a server does that has gone. */
  cut(): void;
  /** From now on nothing gets through, and nobody is told: connections stay open. */
  blackHole(): void;
  /** Becomes a black hole the moment a client sends this text, which no longer gets through. Resolves then. */
  blackHoleAt(text: string): Promise<void>;
  /** Becomes a black hole the moment a client has sent this text: the server acts on it, the answer is lost. Resolves then. */
  blackHoleAfter(text: string): Promise<void>;
  /** Lets everything through again on new connections; those that were open are reset. */
  heal(): Promise<void>;
}

/** Stands between one of our apps and a server, and lets it fall silent. */
export const tcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let trap: { text: string; getsThrough: boolean; sprung: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (isBlackHole) return;
        const isTrapped = from === client && trap !== undefined && data.includes(trap.text);
        if (!isTrapped || trap?.getsThrough) to.write(data);
        if (isTrapped) {
          isBlackHole = true;
          trap?.sprung();
        }
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isBlackHole) to.destroy();
      });
    }
  });
  const listen = (at: number) =>
    new Promise<void>((resolve) => {
      server.listen(at, '127.0.0.1', resolve);
    });
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  const url = new URL(target);
  url.port = String(address.port);

  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const spring = (text: string, getsThrough: boolean) =>
    new Promise<void>((resolve) => {
      trap = { text, getsThrough, sprung: resolve };
    });

  return {
    url: url.href,
    cut: () => {
      server.close();
      reset();
    },
    blackHole: () => {
      isBlackHole = true;
    },
    blackHoleAt: (text) => spring(text, false),
    blackHoleAfter: (text) => spring(text, true),
    heal: async () => {
      reset();
      isBlackHole = false;
      trap = undefined;
      if (!server.listening) await listen(address.port);
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        reset();
      }),
  };
};
