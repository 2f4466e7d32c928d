import { once } from 'node:events';
import { connect } from 'node:net';

const message = (type: string, body: string) => {
  const bytes = Buffer.from(`${type}....${body}\0`);
  bytes.writeUInt32BE(bytes.length - type.length, type.length);
  return bytes;
};

/** The unparsed response of PostgreSQL to a statement: enough to search for a word without a driver. */
export const query = async (url: string, statement: string): Promise<string> => {
  const { hostname, port, username } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let answer = '';
  socket.on('data', (text) => (answer += text));
  socket.write(message('', `\0\x03\0\0user\0${username}\0database\0postgres\0`));
  socket.write(message('Q', statement));
  socket.write(message('X', ''));
  await once(socket, 'close');
  return answer;
};
