import { expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('sends test events to TikTok one per request, because it shows no others, and those of Meta together', async () => {
  await using worker = await givenWorker();
  const deliverThree = async (platform: 'meta' | 'tiktok', settings: unknown) => {
    const { ids } = await worker.givenBacklog(3, { platform, settings, isTest: true });
    await worker.deliver(ids);
    for (const id of ids) expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  };
  await deliverThree('tiktok', { pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST7' });
  await deliverThree('meta', { pixelId: '1234567890', testEventCode: 'TEST7' });

  const metrics = await worker.metrics.metrics();
  const requests = (platform: string, outcome: string) =>
    Number(
      new RegExp(
        `leadback_platform_request_seconds_count\\{[^}]*platform="${platform}",outcome="${outcome}"[^}]*\\} (\\d+)`,
      ).exec(metrics)?.[1] ?? 0,
    );
  expect([requests('tiktok', 'delivered'), requests('tiktok', 'rejected')]).toEqual([3, 0]);
  expect(requests('meta', 'delivered')).toBeLessThan(3);
});
