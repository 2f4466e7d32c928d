import { type Conversion, type EntityManager, Feedback, type PlatformConnection } from '@leadback/db';
import { givenConnection } from './given-connection.ts';
import { givenConversion } from './given-conversion.ts';
import { saved } from './saved.ts';

interface FeedbackOptions {
  readonly connection?: PlatformConnection;
  /** Of the connection's account; left out, a new one. */
  readonly conversion?: Conversion;
  readonly state?: Feedback['state'];
  readonly reason?: string;
}

/** A conversion on its way to a platform: due now, or closed. */
export const givenFeedback = async (
  em: EntityManager,
  { connection, conversion: given, state = 'pending', reason }: FeedbackOptions = {},
): Promise<Feedback> => {
  const way = connection ?? (await givenConnection(em));
  const conversion = given ?? (await givenConversion(em, { account: await way.account.loadOrFail() }));
  return saved(
    em,
    em.create(Feedback, {
      account: way.account,
      conversion,
      connection: way,
      state,
      reason: reason ?? null,
      closedAt: state === 'pending' ? null : new Date(),
    }),
  );
};
