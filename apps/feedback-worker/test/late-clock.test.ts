import { platformNames } from '@leadback/domain';
import { expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('a worker whose clock is ten minutes late delivers a conversion of this moment to every platform', async () => {
  await using worker = await givenWorker({ now: () => Date.now() - 10 * 60_000 });
  for (const platform of platformNames) {
    const { id } = await worker.givenFeedback({ connection: { platform } });
    await worker.delivery.handle({ feedbackId: id, platform });
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', reason: null });
  }
});
