import { nowMs } from './serve-sandbox.ts';

export const hash = '9df6a1ccc4b3d8b2a2c1f3f2cf0ab7ec3e19b6b5fbb3e3d0c9a3ad6b8d31c7a4';

/** A valid event for TikTok. */
export const tiktokEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  event: 'Purchase',
  event_time: nowMs / 1000,
  event_id: '1',
  user: { email: hash },
  properties: { value: 100.2, currency: 'USD', order_id: 'order-9' },
  ...changes,
});

export const tiktokRequest = (...data: readonly unknown[]) => ({
  event_source: 'web',
  event_source_id: 'C17TA5JC77UDOT6CA5FG',
  data,
});
