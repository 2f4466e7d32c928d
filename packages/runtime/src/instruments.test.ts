import { describe, expect, it, vi } from 'vitest';
import { instruments } from './instruments.ts';
import { createMetrics } from './metrics.ts';

const given = () => {
  const metrics = createMetrics('test');
  return { metrics, ...instruments(metrics) };
};

describe('what an app measures', () => {
  it('is shown at zero before anything has happened, for every combination of labels', async () => {
    const { metrics, counter, histogram } = given();
    counter({ name: 'sent_total', help: 'Sent', labels: { platform: ['meta', 'google'], state: ['well', 'badly'] } });
    histogram({ name: 'wait_seconds', help: 'Wait', labels: { by: ['relay'] }, buckets: [1] });
    const text = await metrics.metrics();
    for (const platform of ['meta', 'google']) {
      expect(text).toContain(`sent_total{platform="${platform}",state="well",app="test"} 0`);
      expect(text).toContain(`sent_total{platform="${platform}",state="badly",app="test"} 0`);
    }
    expect(text).toMatch(/wait_seconds_count\{[^}]*by="relay"[^}]*\} 0/);
  });

  it('is read when somebody looks', async () => {
    const { metrics, gauge } = given();
    let waiting = 3;
    gauge({ name: 'waiting', help: 'Waiting', refresh: (shown) => shown.set(waiting) });
    expect(await metrics.metrics()).toContain('waiting{app="test"} 3');
    waiting = 4;
    expect(await metrics.metrics()).toContain('waiting{app="test"} 4');
  });

  it.each([
    ['cannot be read', () => Promise.reject(new Error('away'))],
    ['takes long to be read', () => new Promise<void>(() => {})],
  ])('is shown as it was where it %s, together with all else', async (_, refresh) => {
    const { metrics, gauge } = given();
    gauge({ name: 'waiting', help: 'Waiting', refresh }).set(7);
    const text = await metrics.metrics();
    expect(text).toContain('waiting{app="test"} 7');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('is not asked for a second time while it takes long, and is shown once it is there', async () => {
    const { metrics, gauge } = given();
    const answer = Promise.withResolvers<number>();
    const ask = vi.fn<() => Promise<number>>(() => answer.promise);
    gauge({ name: 'waiting', help: 'Waiting', refresh: async (shown) => shown.set(await ask()) });
    await metrics.metrics();
    await metrics.metrics();
    expect(ask).toHaveBeenCalledTimes(1);
    answer.resolve(5);
    expect(await metrics.metrics()).toContain('waiting{app="test"} 5');
  });
});
