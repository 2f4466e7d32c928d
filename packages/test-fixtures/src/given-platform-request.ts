import { type EntityManager, Feedback, FeedbackAttempt, type PlatformConnection, PlatformRequest } from '@leadback/db';
import { givenConnection } from './given-connection.ts';
import { givenConversion } from './given-conversion.ts';
import { saved } from './saved.ts';
import { unique } from './unique.ts';

interface RequestOptions {
  readonly connection?: PlatformConnection;
  readonly name?: string;
  readonly deliveries?: number;
}

/** A request to Google whose status check is due, and its deliveries. */
export const givenPlatformRequest = async (
  em: EntityManager,
  { connection: given, name = unique('request'), deliveries = 1 }: RequestOptions = {},
) => {
  const connection = given ?? (await givenConnection(em, { platform: 'google' }));
  const account = await connection.account.loadOrFail();
  const request = await saved(
    em,
    em.create(PlatformRequest, { account, connection, name, lookAt: new Date(0), verdict: null }),
  );
  const feedback: Feedback[] = [];
  for (let index = 0; index < deliveries; index += 1) {
    const conversion = await givenConversion(em, { account });
    const closed = { state: 'delivered', closedAt: new Date(), attempts: 1 } as const;
    const row = await saved(em, em.create(Feedback, { account, conversion, connection, ...closed }));
    const attempt = { outcome: 'delivered', durationMs: 1, platformRequest: name } as const;
    await saved(em, em.create(FeedbackAttempt, { account, feedback: row, ...attempt }));
    feedback.push(row);
  }
  return { id: request.id, name, connection, feedback: feedback.map(({ id }) => id) };
};
