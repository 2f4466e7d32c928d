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
}

/** Stands between one of our apps and a server, and lets it fall silent. */
export const tcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let trap: { text: string; sprung: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (from === client && trap && data.includes(trap.text)) {
          isBlackHole = true;
          trap.sprung();
        }
        if (!isBlackHole) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isBlackHole) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  const url = new URL(target);
  url.port = String(address.port);

  const cut = () => {
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };

  return {
    url: url.href,
    cut,
    blackHole: () => {
      isBlackHole = true;
    },
    blackHoleAt: (text) =>
      new Promise((resolve) => {
        trap = { text, sprung: resolve };
      }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
};
