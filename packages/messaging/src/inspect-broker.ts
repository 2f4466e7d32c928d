import { type Channel, type ChannelModel, connect } from 'amqplib';
import { withTemporaryChannel, amqpErrorCode } from './with-temporary-channel.ts';
import { type Declarer, declareFeedback, declareLeads } from './topology.ts';

/** An exchange or a queue that our apps travel by, as it was found. */
export interface BrokerPart {
  readonly kind: 'exchange' | 'queue';
  readonly name: string;
  /**
   * other: it was declared with another type or other arguments, and no app of ours can use it. unlooked: it is there, but
   * we may not declare it, and so cannot tell.
   */
  readonly state: 'alike' | 'other' | 'unlooked' | 'missing';
  /** Of a queue: 0 of an exchange, and of one that is missing. */
  readonly messages: number;
  readonly consumers: number;
}

export interface BrokerReport {
  readonly version: string;
  readonly parts: readonly BrokerPart[];
}

const connectTimeoutMs = 3_000;
// a broker that has fallen silent must not keep us for long
const heartbeatSeconds = 2;

const accessRefused = 403;
const notFound = 404;
const preconditionFailed = 406;

/** What the broker answers with where it refuses; undefined where it does as it is asked. */
const refusalOf = async (
  connection: ChannelModel,
  ask: (channel: Channel) => Promise<unknown>,
): Promise<number | undefined> => {
  try {
    await withTemporaryChannel(connection, ask);
    return undefined;
  } catch (error) {
    const code = amqpErrorCode(error);
    if (code === undefined) throw error;
    return code;
  }
};

/** Takes what is declared for a question: what is missing stays missing. */
const lookingDeclarer = (connection: ChannelModel, found: (part: BrokerPart) => void): Declarer => {
  // Anybody may see what is there. Only declaring tells whether the arguments are the same, and what is there is not
  // changed by it; who may not declare is refused before they are compared.
  const stateOf = async (
    look: (channel: Channel) => Promise<unknown>,
    declare: (channel: Channel) => Promise<unknown>,
  ) => {
    if ((await refusalOf(connection, look)) === notFound) return 'missing';
    const refusal = await refusalOf(connection, declare);
    if (refusal === accessRefused) return 'unlooked';
    return refusal === preconditionFailed ? 'other' : 'alike';
  };
  return {
    async assertExchange(name, type, options) {
      const state = await stateOf(
        (channel) => channel.checkExchange(name),
        (channel) => channel.assertExchange(name, type, options),
      );
      found({ kind: 'exchange', name, state, messages: 0, consumers: 0 });
      return { exchange: name };
    },
    async assertQueue(queue = '', options = {}) {
      let counts = { messageCount: 0, consumerCount: 0 };
      const state = await stateOf(
        async (channel) => {
          counts = await channel.checkQueue(queue);
        },
        (channel) => channel.assertQueue(queue, options),
      );
      found({ kind: 'queue', name: queue, state, messages: counts.messageCount, consumers: counts.consumerCount });
      return { queue, ...counts };
    },
    // nothing but a message tells whether a queue is bound; publishers notice, and declare it again
    bindQueue: () => Promise.resolve({}),
  };
};

/**
 * Looks at everything that our apps declare at a broker, in the order in which they do, and changes nothing. Throws
 * where the broker cannot be reached or does not let us in.
 */
export const inspectBroker = async (url: string): Promise<BrokerReport> => {
  const address = new URL(url);
  address.searchParams.set('heartbeat', String(heartbeatSeconds));
  const connection = await connect(address.href, { timeout: connectTimeoutMs });
  connection.on('error', () => {}); // what is asked then fails as well
  try {
    const parts: BrokerPart[] = [];
    const declarer = lookingDeclarer(connection, (part) => parts.push(part));
    await declareFeedback(declarer);
    await declareLeads(declarer);
    return { version: connection.connection.serverProperties.version, parts };
  } finally {
    await connection.close().catch(() => {});
  }
};
