import type { ServerResponse } from 'node:http';
import { Feedback } from '@leadback/db';
import { givenServer } from '@leadback/test-fixtures';
import { expect, it, vi } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('a stopping worker completes its requests in progress and leaves all other rows to other workers', async () => {
  const held: ServerResponse[] = [];
  await using platform = await givenServer((_request, response) => {
    held.push(response);
  });
  await using worker = await givenWorker({ platformUrl: platform.url });
  const { ids, connectionId } = await worker.givenBacklog(4);
  const [one = 0, two = 0, ...waiting] = ids;

  // as many requests as one connection may have at once, and more rows behind them
  for (const [index, id] of [one, two].entries()) {
    void worker.delivery.handle({ feedbackId: id, platform: 'meta' });
    await vi.waitFor(() => expect(held).toHaveLength(index + 1), { timeout: 10_000 });
  }
  for (const id of waiting) void worker.delivery.handle({ feedbackId: id, platform: 'meta' });
  const rows = worker.database.em();
  const claimed = { id: { $in: waiting }, claimsUnfinished: 1 };
  await vi.waitFor(async () => expect(await rows.count(Feedback, claimed)).toBe(2), { timeout: 10_000 });

  worker.delivery.stop();
  for (const response of held) response.end(JSON.stringify({ events_received: 1 }));
  await worker.delivery[Symbol.asyncDispose]();
  expect(await rows.count(Feedback, { id: { $in: [one, two] }, state: 'delivered', attempts: 1 })).toBe(2);
  const free = { id: { $in: waiting }, state: 'pending', attempts: 0, claimsUnfinished: 0 } as const;
  expect(await rows.count(Feedback, free)).toBe(2);

  const other = worker.startDelivery();
  const told = waiting.map((feedbackId) => other.handle({ feedbackId, connectionId, platform: 'meta' }));
  await vi.waitFor(() => expect(held).toHaveLength(3), { timeout: 10_000 });
  held.at(-1)?.end(JSON.stringify({ events_received: 2 }));
  await Promise.all(told);
  expect(await rows.count(Feedback, { id: { $in: waiting }, state: 'delivered' })).toBe(2);
}, 60_000);
