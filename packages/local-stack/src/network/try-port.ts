import { once } from 'node:events';
import { createServer } from 'node:net';

/** Listens on the port for a moment, on every address as our apps do. Throws the system's error when it cannot be had. */
export const tryPort = async (port: number): Promise<void> => {
  const server = createServer().listen(port);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};
