import { nowMs } from './serve-sandbox.ts';

export const hash = '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f';

/** A valid event for Meta. */
export const metaEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  event_name: 'Purchase',
  event_time: nowMs / 1000,
  event_id: '1',
  action_source: 'system_generated',
  user_data: { em: [hash] },
  custom_data: { value: 100.2, currency: 'USD', order_id: 'order-9' },
  ...changes,
});

export const metaRequest = (...data: readonly unknown[]) => ({ data, access_token: 'EAAB' });
