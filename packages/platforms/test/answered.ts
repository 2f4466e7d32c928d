import type { HttpResponse } from '../src/exchange.ts';

export const answered = (status: number, body: unknown, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  kind: 'answered',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
