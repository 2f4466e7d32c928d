import { createLogger, createMetrics } from '@leadback/server/app';
import { expect, it, vi } from 'vitest';
import { landingEvents } from './events.ts';

it('logs dead-lettered leads once a minute with their number, and counts each', async () => {
  const log = createLogger('landing', 'silent');
  const logged = vi.spyOn(log, 'error');
  const metrics = createMetrics('landing');
  const { leadDead } = landingEvents(log, metrics);
  let nowMs = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);

  for (let lead = 0; lead < 2_000; lead += 1) leadDead();
  nowMs += 60_000;
  leadDead();
  const text = 'buffered leads moved to the dead-letter queue (lead.dead.v1)';
  expect(logged.mock.calls).toEqual([
    [{ leads: 1 }, text],
    [{ leads: 2_000 }, text],
  ]);
  expect(await metrics.metrics()).toMatch(/^leadback_leads_dead_total\S* 2001$/m);
});
