import { type EntityManager, Feedback } from '@leadback/db';
import { requeueFeedback, requeueFeedbackOfConnection } from '@leadback/delivery';
import { audit } from '@leadback/people';
import type { Loaded } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { findConnection } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

const whyNot = (id: number, feedback: Loaded<Feedback, 'connection'> | undefined): string => {
  if (!feedback) return `there is no feedback ${id}`;
  const { id: connectionId, state } = feedback.connection.$;
  if (feedback.state === 'delivered' && feedback.note == null)
    return `feedback ${id} was delivered and has no note from the platform; a retry would change nothing`;
  if (feedback.state === 'pending') return `feedback ${id} is already pending`;
  return state === 'active'
    ? `feedback ${id} changed meanwhile; run the command again`
    : `feedback ${id}: its connection is not active (${state}); run \`connection resume ${connectionId}\` first`;
};

/** All of them or none. */
const retryEach = (em: EntityManager, ids: readonly number[], actor: string) =>
  em.transactional(async (tx) => {
    const requeued = await requeueFeedback(tx, ids);
    const others = ids.filter((id) => !requeued.includes(id));
    const found = await tx.find(Feedback, { id: { $in: [...requeued, ...others] } }, { populate: ['connection'] });
    for (const { id, account } of found.filter((one) => requeued.includes(one.id)))
      await audit(tx, { actor, action: 'delivery.retry', accountId: account.id, target: `delivery ${id}` });
    // with the adjustments that follow
    if (others.length === 0) return { requeued: requeued.toSorted((one, other) => one - other) };
    const byId = new Map(found.map((feedback) => [feedback.id, feedback]));
    throw new OperatorError(others.map((id) => whyNot(id, byId.get(id))).join('\n'));
  });

const retryConnection = async (em: EntityManager, id: number, reason: string | undefined, actor: string) => {
  const { account, state } = await findConnection(em, { id });
  if (state !== 'active') {
    throw new OperatorError(`connection ${id} is not active (${state}); run \`connection resume ${id}\` first`);
  }
  const details = { ...(reason !== undefined && { reason }) };
  // first: the work is many transactions
  await audit(em, { actor, action: 'connection.retry', accountId: account.id, target: `connection ${id}`, details });
  return { connection: id, requeued: await requeueFeedbackOfConnection(em, { id, accountId: account.id, reason }) };
};

export const retryFeedback = command({
  name: 'feedback retry',
  summary: 'retry failed and skipped deliveries: the given ones (all or none), or all of a connection',
  argument: '[id...]',
  options: [
    ['--connection <id>', 'all failed and skipped deliveries of this connection'],
    ['--reason <text>', 'with --connection: only if the reason starts with this text'],
  ],
  input: z.object({
    id: z.array(idSchema).transform((ids) => [...new Set(ids)]),
    connection: idSchema.optional(),
    reason: z.string().optional(),
  }),
  async run({ id: ids, connection, reason }, { em, actor }) {
    if (ids.length > 0 === (connection !== undefined)) {
      throw new OperatorError('give either ids or --connection ID');
    }
    if (connection !== undefined) return retryConnection(em, connection, reason, actor);
    if (reason !== undefined) throw new OperatorError('--reason: needs --connection');
    return retryEach(em, ids, actor);
  },
});
