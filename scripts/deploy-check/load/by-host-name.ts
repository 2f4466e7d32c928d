import { createServer, request } from 'node:http';
import { promisify } from 'node:util';

interface Entrance extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
}

/**
 * Passes requests on to a port of this machine under another host name. Browsers know that *.localhost is this machine;
 * Node.js does not.
 */
export const byHostName = async (host: string, port: number): Promise<Entrance> => {
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const passedOn = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    incoming.pipe(passedOn);
  });
  const listen = promisify((done: () => void) => server.listen(0, '127.0.0.1', done));
  await listen();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
};
