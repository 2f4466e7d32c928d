import { createLogger, createMetrics } from '@leadback/server/app';
import { expect, it } from 'vitest';
import { apiEvents } from '../src/events.ts';

it('counts hints by whether RabbitMQ confirmed them, and measures how long that took', async () => {
  const metrics = createMetrics('api');
  const events = apiEvents(createLogger('api', 'silent'), metrics);
  for (const durationMs of [2, 4]) events.hintPublished({ isConfirmed: true, durationMs });
  events.hintPublished({ isConfirmed: false, durationMs: 10_000 });
  const text = await metrics.metrics();
  expect(text).toMatch(/leadback_hints_total\{[^}]*outcome="confirmed"[^}]*\} 2\n/);
  expect(text).toMatch(/leadback_hints_total\{[^}]*outcome="unconfirmed"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_hint_confirm_seconds_sum\{[^}]*outcome="confirmed"[^}]*\} 0\.006\n/);
  expect(text).toMatch(/leadback_hint_confirm_seconds_sum\{[^}]*outcome="unconfirmed"[^}]*\} 10\n/);
});

it('does not count clients, conversions and deliveries of test keys', async () => {
  const metrics = createMetrics('api');
  const events = apiEvents(createLogger('api', 'silent'), metrics);
  const register = (isTest: boolean) => {
    events.clientRegistered('created', { isTest });
    events.conversionRegistered({ currency: 'USD', isTest });
    events.deliveriesCreated([{ id: 1, connectionId: 1, platform: 'meta', isTest, size: 3, traceParent: null }]);
  };
  register(true);
  register(false);
  register(true);
  const text = await metrics.metrics();
  expect(text).toMatch(/leadback_clients_total\{[^}]*outcome="created"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_conversions_total\{[^}]*currency="USD"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_deliveries_registered_total\{[^}]*platform="meta"[^}]*\} 3\n/);
});
