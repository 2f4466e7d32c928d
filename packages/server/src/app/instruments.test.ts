import { describe, expect, it, vi } from 'vitest';
import { instruments, createMetrics } from './metrics.ts';

const given = () => {
  const metrics = createMetrics('test');
  return { metrics, ...instruments(metrics) };
};

describe('instruments', () => {
  it('exports every combination of labels at zero before the first event', async () => {
    const { metrics, counter, histogram } = given();
    counter({ name: 'sent_total', help: 'Sent', labels: { platform: ['meta', 'google'], state: ['well', 'badly'] } });
    histogram({ name: 'wait_seconds', help: 'Wait', labels: { by: ['sweep'] }, buckets: [1] });
    const text = await metrics.metrics();
    for (const platform of ['meta', 'google']) {
      expect(text).toContain(`sent_total{platform="${platform}",state="well",app="test"} 0`);
      expect(text).toContain(`sent_total{platform="${platform}",state="badly",app="test"} 0`);
    }
    expect(text).toMatch(/wait_seconds_count\{[^}]*by="sweep"[^}]*\} 0/);
  });

  it('refreshes a gauge whenever metrics are read', async () => {
    const { metrics, gauge } = given();
    let waiting = 3;
    gauge({ name: 'waiting', help: 'Waiting', refresh: (shown) => shown.set(waiting) });
    expect(await metrics.metrics()).toContain('waiting{app="test"} 3');
    waiting = 4;
    expect(await metrics.metrics()).toContain('waiting{app="test"} 4');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('unavailable'))],
    ['takes long', () => new Promise<void>(() => {})],
  ])('exports the last value of a gauge whose refresh %s, and all other metrics', async (_, refresh) => {
    const { metrics, gauge } = given();
    gauge({ name: 'waiting', help: 'Waiting', refresh }).set(7);
    const text = await metrics.metrics();
    expect(text).toContain('waiting{app="test"} 7');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('does not start a slow refresh twice, and exports its result once it is done', async () => {
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
