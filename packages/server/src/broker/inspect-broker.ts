import { type Channel, type ChannelModel, connect } from 'amqplib';
import { checkedTls, readBrokerUrl, withTemporaryChannel, amqpErrorCode } from './connection.ts';
import { type Declarer, declareHints, declareLeads } from './topology.ts';

/** An exchange or queue of the topology, as found in RabbitMQ. */
export interface BrokerPart {
  readonly kind: 'exchange' | 'queue';
  readonly name: string;
  /**
   * other: declared with another type or other arguments, so that the apps cannot use it. unlooked: it exists, but
   * this user may not declare it, so its arguments are unknown.
   */
  readonly state: 'alike' | 'other' | 'unlooked' | 'missing';
  /** 0 for exchanges and missing queues. */
  readonly messages: number;
  readonly consumers: number;
}

export interface BrokerReport {
  readonly version: string;
  readonly parts: readonly BrokerPart[];
}

const connectTimeoutMs = 3_000;
// detects an unresponsive RabbitMQ quickly
const heartbeatSeconds = 2;

const accessRefused = 403;
const notFound = 404;
const preconditionFailed = 406;

/** The AMQP error code if RabbitMQ refuses, otherwise undefined. */
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

/** A declarer that inspects, and declares only what exists: missing parts stay missing. */
const inspectingDeclarer = (connection: ChannelModel, found: (part: BrokerPart) => void): Declarer => {
  // Every user may check existence. Only declaring compares the arguments; it does not change what exists. Users
  // without permission to declare are refused before the comparison.
  const stateOf = async (
    check: (channel: Channel) => Promise<unknown>,
    declare: (channel: Channel) => Promise<unknown>,
  ) => {
    if ((await refusalOf(connection, check)) === notFound) return 'missing';
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
    // only publishing tells whether a queue is bound; publishers notice a missing binding and restore it
    bindQueue: () => Promise.resolve({}),
  };
};

/**
 * Inspects everything that the apps declare in RabbitMQ, and changes nothing. Throws if RabbitMQ is unavailable or
 * refuses the connection.
 */
export const inspectBroker = async (url: string): Promise<BrokerReport> => {
  const server = { ...readBrokerUrl(url), heartbeat: heartbeatSeconds };
  const connection = await connect(server, { ...checkedTls, timeout: connectTimeoutMs });
  connection.on('error', () => {}); // the operation fails with the connection
  try {
    const parts: BrokerPart[] = [];
    const declarer = inspectingDeclarer(connection, (part) => parts.push(part));
    await declareHints(declarer);
    await declareLeads(declarer);
    const { version } = connection.connection.serverProperties;
    return { version, parts };
  } finally {
    await connection.close().catch(() => {});
  }
};
