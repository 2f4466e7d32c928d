import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Arrived {
  readonly method: string;
  readonly path: string;
  /** The token, in whichever header it was sent. */
  readonly authorization: string | undefined;
  readonly body: string;
}

export type Script = (response: ServerResponse, arrived: Arrived) => void;

export const respond =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

// the token endpoints of all platforms
const isForToken = ({ path }: Arrived) => /token$/i.test(path);

const grantToken = respond(200, { access_token: 'ya29.granted', expires_in: 3600, token_type: 'Bearer' });

/**
 * A real server on a free port that follows a script, with another one for the token endpoint, and records requests.
 */
export const serveScripted = async () => {
  const arrived: Arrived[] = [];
  const scripts = { events: respond(500, ''), token: grantToken };

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const authorization = headers.authorization ?? headers['access-token']?.toString();
    const one = { method, path, authorization, body: await text(request) };
    arrived.push(one);
    (isForToken(one) ? scripts.token : scripts.events)(response, one);
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('listens on no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    arrived,
    /** All requests but those for tokens. */
    events: () => arrived.filter((one) => !isForToken(one)),
    play: (script: Script) => {
      scripts.events = script;
    },
    playToken: (script: Script) => {
      scripts.token = script;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
