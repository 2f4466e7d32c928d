import type { Options } from 'amqplib';

// what a URL of amqplib may say in its query
const numbers = ['heartbeat', 'channelMax', 'frameMax', 'maxFrameSize'] as const;

/** All that amqplib needs to connect. */
export interface BrokerServer extends Options.Connect {
  readonly protocol: 'amqp' | 'amqps';
  readonly hostname: string;
}

const protocolOf = ({ protocol }: URL): BrokerServer['protocol'] => {
  if (protocol === 'amqp:') return 'amqp';
  if (protocol === 'amqps:') return 'amqps';
  throw new Error('expected a URL that begins with amqp:// or amqps://');
};

const numbersIn = ({ searchParams }: URL): Partial<Record<(typeof numbers)[number], number>> => {
  for (const name of searchParams.keys()) {
    if (!numbers.some((known) => known === name))
      throw new Error(`unknown parameter ${name}; allowed: ${numbers.join(', ')}`);
    if (searchParams.getAll(name).length > 1) throw new Error(`the parameter ${name} is there twice`);
    if (!/^\d{1,9}$/.test(searchParams.get(name) ?? '')) throw new Error(`the parameter ${name} is not a number`);
  }
  return Object.fromEntries(
    numbers.flatMap((name) => (searchParams.has(name) ? [[name, Number(searchParams.get(name))]] : [])),
  );
};

/**
 * The server of a URL, as an object that amqplib reads no further. Throws for any other protocol, and for parameters that
 * amqplib would ignore, which the author of the URL believes to count.
 */
export const readBrokerUrl = (text: string): BrokerServer => {
  const url = new URL(text);
  const { port, username, password, pathname } = url;
  return {
    protocol: protocolOf(url),
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    ...((username !== '' || password !== '') && {
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }),
    vhost: pathname.slice(1),
    ...numbersIn(url),
  };
};

/** Options of the socket: never left to `NODE_TLS_REJECT_UNAUTHORIZED`. */
export const checkedTls = { rejectUnauthorized: true } as const;

/** Where a connection to the broker of a URL leads, and how. */
export const brokerAddress = (url: string): { host: string; tls: 'verified' | 'none' } => {
  const { protocol, hostname } = readBrokerUrl(url);
  return { host: hostname, tls: protocol === 'amqps' ? 'verified' : 'none' };
};
