import {
  type Client,
  type Conversion,
  type ConversionAdjustment,
  type EntityManager,
  Feedback,
  type PlatformConnection,
} from '@leadback/db';
import { givenConnection } from './given-connection.ts';
import { givenConversion } from './given-conversion.ts';
import { saved } from './saved.ts';

interface FeedbackOptions {
  readonly connection?: PlatformConnection;
  /** Must belong to the account of the connection; default: a new one. */
  readonly conversion?: Conversion;
  /** The delivery reports this adjustment instead of a conversion. */
  readonly adjustment?: ConversionAdjustment;
  /** The delivery reports the registration of this client instead of a conversion. */
  readonly client?: Client;
  readonly state?: Feedback['state'];
  readonly reason?: string;
}

/** A delivery that is due now, or closed. */
export const givenFeedback = async (
  em: EntityManager,
  { connection, conversion: given, adjustment, client, state = 'pending', reason }: FeedbackOptions = {},
): Promise<Feedback> => {
  const via = connection ?? (await givenConnection(em));
  const subjectOf = async () => {
    if (adjustment) return { adjustment, isTest: adjustment.isTest, occurredAt: adjustment.occurredAt };
    if (client) return { client, isTest: client.isTest, occurredAt: client.createdAt };
    return { conversion: given ?? (await givenConversion(em, { account: await via.account.loadOrFail() })) };
  };
  const subject = await subjectOf();
  return saved(
    em,
    em.create(Feedback, {
      account: via.account,
      ...subject,
      connection: via,
      state,
      reason: reason ?? null,
      closedAt: state === 'pending' ? null : new Date(),
    }),
  );
};
