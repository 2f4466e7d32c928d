import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';

/** Listens on the port briefly, on all interfaces like the apps. Throws the system's error if the port is taken. */
const tryPort = async (port: number): Promise<void> => {
  const server = createServer().listen(port);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};

/** Throws if the port is taken; the error names the setting that changes the port. */
export const assertPortFree = async (port: number, settingName: string): Promise<void> => {
  try {
    await tryPort(port);
  } catch (error) {
    throw new Error(`port ${port} is in use; set ${settingName} to another port`, { cause: error });
  }
};

// Below the ephemeral ports, where a client that retries a stopped server can connect to itself and block the port.
// Above 10080, to which `fetch` refuses to connect: see "bad port" in the WHATWG's Fetch.
const lowestPort = 10_081;
const highestPort = 32_000;

// each process of vitest has ports of its own: it would take the port of an app that another one is starting again
const lanes = 8;
const laneWidth = Math.floor((highestPort - lowestPort) / lanes);
const laneStart = lowestPort + (Number(process.env['VITEST_POOL_ID'] ?? 0) % lanes) * laneWidth;

// what is free may belong to an app that is yet to start, or to start again
const picked = new Set<number>();

/**
 * Picks at random, so that concurrent test runs do not pick the same port, and each port once. Throws after some
 * thousands: they are used up.
 */
export const freePort = async (): Promise<number> => {
  if (picked.size === laneWidth) throw new Error(`all ${laneWidth} ports of this process were picked`);
  const port = randomInt(laneStart, laneStart + laneWidth);
  if (picked.has(port)) return freePort();
  picked.add(port);
  return tryPort(port).then(() => port, freePort);
};

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

const answerMaxMs = 2_000;

/** Whether a GET responds with 200 within 2 s. The connection is closed: an open one would delay a shutdown. */
export const answersOk = async (url: string): Promise<boolean> => {
  const request = get(url, { agent: false, timeout: answerMaxMs });
  request.on('timeout', () => request.destroy());
  try {
    const [response]: IncomingMessage[] = await once(request, 'response');
    return response?.statusCode === 200;
  } catch {
    return false;
  } finally {
    request.destroy();
  }
};
