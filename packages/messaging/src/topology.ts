import { type PlatformName, platformNames } from '@leadback/domain';
import type { Channel, ChannelModel } from 'amqplib';
import { withTemporaryChannel, amqpErrorCode } from './with-temporary-channel.ts';

export const feedbackExchange = 'feedback';
const deadLetterExchange = 'feedback.dlx';
export const deadLetterQueue = 'feedback.dead.v1';

export const leadExchange = 'lead';
/** Leads that wait for the database. */
export const leadQueue = 'lead.waiting.v1';
const deadLeadExchange = 'lead.dlx';
/** Those that can never be written. */
export const deadLeadQueue = 'lead.dead.v1';

/** One queue per platform, so that a platform that is down holds nobody else back. Arguments cannot change: hence v1. */
export const feedbackQueues: Record<PlatformName, string> = {
  meta: 'feedback.meta.v1',
  google: 'feedback.google.v1',
  tiktok: 'feedback.tiktok.v1',
};

/** What declaring takes of a channel. */
export type Declarer = Pick<Channel, 'assertExchange' | 'assertQueue' | 'bindQueue'>;

const quorum = { 'x-queue-type': 'quorum' };

const declareFeedbackExchange = (channel: Declarer) =>
  channel.assertExchange(feedbackExchange, 'direct', { durable: true });

/** Declares what feedback is taken from. Whoever takes it does so first; where all of it is there, it changes nothing. */
export const declareFeedback = async (channel: Declarer): Promise<void> => {
  await channel.assertExchange(deadLetterExchange, 'fanout', { durable: true });
  await channel.assertQueue(deadLetterQueue, { durable: true, arguments: { ...quorum, 'x-max-length': 100_000 } });
  await channel.bindQueue(deadLetterQueue, deadLetterExchange, '');
  await declareFeedbackExchange(channel);
  for (const platform of platformNames) {
    await channel.assertQueue(feedbackQueues[platform], {
      durable: true,
      arguments: {
        ...quorum,
        // said explicitly, because 3.x has no limit by default and 4.x has this one
        'x-delivery-limit': 20,
        'x-dead-letter-exchange': deadLetterExchange,
        'x-dead-letter-strategy': 'at-least-once',
        // what does not fit is refused to the publisher and stays due in PostgreSQL; at-least-once asks for it as well
        'x-overflow': 'reject-publish',
        'x-max-length': 100_000,
      },
    });
    await channel.bindQueue(feedbackQueues[platform], feedbackExchange, platform);
  }
};

const bindIfThere = async (connection: ChannelModel, platform: PlatformName): Promise<void> => {
  try {
    await withTemporaryChannel(connection, (channel) =>
      channel.bindQueue(feedbackQueues[platform], feedbackExchange, platform),
    );
  } catch (error) {
    if (amqpErrorCode(error) !== 404) throw error;
  }
};

/**
 * Declares what feedback is published to, and sees to it that it gets into the queues that are there. A publisher makes
 * none: only who may take from a queue may have its dead letters laid aside.
 */
export const declarePublisherTopology = async (channel: Channel, connection: ChannelModel): Promise<void> => {
  await declareFeedbackExchange(channel);
  await Promise.all(platformNames.map((platform) => bindIfThere(connection, platform)));
};

/** Declares what leads wait in. Every landing app puts into it and takes from it; whoever connects first does it. */
export const declareLeads = async (channel: Declarer): Promise<void> => {
  await channel.assertExchange(deadLeadExchange, 'fanout', { durable: true });
  await channel.assertQueue(deadLeadQueue, { durable: true, arguments: quorum });
  await channel.bindQueue(deadLeadQueue, deadLeadExchange, '');
  await channel.assertExchange(leadExchange, 'direct', { durable: true });
  await channel.assertQueue(leadQueue, {
    durable: true,
    arguments: {
      ...quorum,
      // as good as none: a lead that could not be written yet must not die of being tried again. 4.x takes -1 for none,
      // but 3.10 takes it for "not even twice" (seen), and leaving it out means 20 to 4.x
      'x-delivery-limit': 1_000_000_000,
      'x-dead-letter-exchange': deadLeadExchange,
      'x-dead-letter-strategy': 'at-least-once',
      // what does not fit is refused to the publisher, who has a disk
      'x-overflow': 'reject-publish',
      'x-max-length': 1_000_000,
    },
  });
  await channel.bindQueue(leadQueue, leadExchange, leadQueue);
};
