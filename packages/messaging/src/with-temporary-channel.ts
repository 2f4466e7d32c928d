import type { Channel, ChannelModel } from 'amqplib';
import { z } from 'zod';

/**
 * Asks the broker something on a channel of its own: a refusal closes that one, and no other. Throws what the broker
 * says; `refusalCode` tells why.
 */
export const withTemporaryChannel = async <Answer>(
  connection: ChannelModel,
  ask: (channel: Channel) => Promise<Answer>,
): Promise<Answer> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {}); // the question fails as well
  const answer = await ask(channel);
  await channel.close();
  return answer;
};

const refusalSchema = z.object({ code: z.number() });

/** The broker's code of AMQP, such as 404 for what is not there; undefined where it did not refuse. */
export const amqpErrorCode = (error: unknown): number | undefined => refusalSchema.safeParse(error).data?.code;
