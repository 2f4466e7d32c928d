import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a connection to the port of this machine is accepted. */
export const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
