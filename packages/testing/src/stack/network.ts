import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
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
const picksMax = 1_000;

/**
 * Holds the UDP port of the same number until this process ends, to tell all processes of this machine that the port is
 * picked: its app may be yet to start, or about to start again. Throws the system's error if it is held already.
 */
const claimPort = async (port: number): Promise<void> => {
  const claim = createSocket('udp4').unref();
  try {
    claim.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(claim, 'listening');
  } catch (error) {
    claim.close();
    throw error;
  }
};

/**
 * Picks a port at random that no process has picked and none listens on, or the first of several `inRow`. No other process
 * picks them while this one runs.
 */
export const freePort = async (inRow = 1): Promise<number> => {
  let cause: unknown;
  for (let pick = 0; pick < picksMax; pick += 1) {
    const first = randomInt(lowestPort, highestPort - inRow);
    try {
      for (let port = first; port < first + inRow; port += 1) {
        await claimPort(port);
        await tryPort(port);
      }
      return first;
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`none of ${picksMax} ports from ${lowestPort} to ${highestPort} is free`, { cause });
};

/** The URL of a server on this machine. */
export const localUrl = (port: number): string => `http://127.0.0.1:${port}`;

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
