import type { Answered } from '../src/exchange.ts';

export const answered = (status: number, body: unknown, headers: Answered['headers'] = {}): Answered => ({
  kind: 'answered',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
