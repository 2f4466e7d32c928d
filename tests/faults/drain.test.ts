import { FeedbackAttempt } from '@leadback/db';
import { givenClient } from '@leadback/test-fixtures';
import { describe, expect, it } from 'vitest';
import { allDelivered } from '../support/feedback.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack } from '../support/given-stack.ts';

describe('graceful shutdown', () => {
  it('loses no request or delivery and sends nothing twice when the apps stop', async () => {
    await using stack = await givenStack();
    const partner = await givenPartner(stack);
    await givenClient(stack.database.em(), { account: partner.account, externalReference: 'C1', email: 'a@x.example' });
    const api = await stack.start('api');
    const worker = await stack.start('feedback-worker');

    const register = () =>
      partner.post('/client/conversion', { clientExternalReference: 'C1', amount: 10, currency: 'USD' });
    const statuses: number[] = [];
    const over = new AbortController();
    const callers = Array.from({ length: 8 }, async () => {
      // calls until the server refuses connections, like a load balancer
      while (!over.signal.aborted) {
        const reply = await register().catch(() => undefined);
        if (!reply) return;
        statuses.push(reply.status);
      }
    });
    await worker.stop();
    await api.stop();
    over.abort();
    await Promise.all(callers);
    expect(await worker.exited).toBe('status 0');
    expect(await api.exited).toBe('status 0');
    expect(new Set(statuses)).toEqual(new Set([201]));

    await using _api = await stack.start('api');
    await using _worker = await stack.start('feedback-worker');
    await allDelivered(stack.database);
    expect(await stack.database.em().count(FeedbackAttempt)).toBe(statuses.length * 2);
  });
});
