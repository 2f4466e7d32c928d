import { once } from 'node:events';
import { createServer } from 'node:net';

/** Listens on the port briefly, on all interfaces like the apps. Throws the system's error if the port is taken. */
export const tryPort = async (port: number): Promise<void> => {
  const server = createServer().listen(port);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};
