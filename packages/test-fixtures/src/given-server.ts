import { createServer, type RequestListener } from 'node:http';

export interface TestServer extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
}

/** Serves on a free port of 127.0.0.1. */
export const givenServer = async (listener: RequestListener): Promise<TestServer> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
