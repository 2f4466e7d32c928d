import { type Conversion, type EntityManager, Feedback, type PlatformConnection } from '@leadback/db';
import { givenConnection } from './given-connection.ts';
import { givenConversion } from './given-conversion.ts';
import { saved } from './saved.ts';

interface FeedbackOptions {
  readonly connection?: PlatformConnection;
  /** Must belong to the account of the connection; default: a new one. */
  readonly conversion?: Conversion;
  readonly state?: Feedback['state'];
  readonly reason?: string;
}

/** A delivery that is due now, or closed. */
export const givenFeedback = async (
  em: EntityManager,
  { connection, conversion: given, state = 'pending', reason }: FeedbackOptions = {},
): Promise<Feedback> => {
  const via = connection ?? (await givenConnection(em));
  const conversion = given ?? (await givenConversion(em, { account: await via.account.loadOrFail() }));
  return saved(
    em,
    em.create(Feedback, {
      account: via.account,
      conversion,
      connection: via,
      state,
      reason: reason ?? null,
      closedAt: state === 'pending' ? null : new Date(),
    }),
  );
};
