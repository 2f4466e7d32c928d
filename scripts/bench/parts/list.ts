import { z } from 'zod';
import { type Figures, quantile } from '../figures.ts';
import { givenAccount } from '../given-account.ts';
import { givenHistory, historyDays, historyRows } from '../given-history.ts';
import type { Part } from '../part.ts';

const requests = 200;
const target = { atMost: 50 };

const filters = [
  '',
  'platform=meta',
  'platform=google',
  'state=delivered',
  'state=failed',
  'state=skipped',
  'state=pending',
  'platform=google&state=delivered',
  'platform=google&state=failed',
  'platform=meta&state=skipped',
] as const;

const nameOf = (filter: string) => (filter === '' ? 'without a filter' : filter);
const pageSchema = z.object({ next: z.string().nullable() });

const dayAt = (share: number) => new Date(Date.now() - share * historyDays * 86_400_000).toISOString().slice(0, 10);

/** Each request begins at another day, or at the end of the page before. */
const pages =
  (url: string, headers: Readonly<Record<string, string>>, filter: string) => async (): Promise<Figures> => {
    const taken: number[] = [];
    let next: string | null = null;
    for (let count = 0; count < requests; count += 1) {
      // as many pages of a range as people turn
      const range: string = count % 5 > 0 && next !== null ? `&after=${next}` : `&to=${dayAt(count / requests)}`;
      const start = performance.now();
      const response = await fetch(`${url}?${filter}${range}`, { headers });
      const page = pageSchema.parse(await response.json());
      taken.push(performance.now() - start);
      next = page.next;
    }
    return { 'p50 ms': quantile(taken, 0.5), 'p99 ms': quantile(taken, 0.99), 'slowest ms': Math.max(...taken) };
  };

export const list: Part = {
  does: () =>
    `list: pages of 50 of ${historyRows.toLocaleString('en')} conversions with two deliveries each, one at a time`,
  goals: () => filters.map((filter) => ({ measurement: nameOf(filter), figure: 'p99 ms', target })),
  prepare: async (bench) => {
    const stack = await bench.open();
    const headers = await givenAccount(stack, { platforms: ['meta', 'google'] });
    await givenHistory(stack);
    await stack.startApp('api');
    const url = `${stack.apiUrl}/client/conversions`;
    return { measurements: new Map(filters.map((filter) => [nameOf(filter), pages(url, headers, filter)])) };
  },
};
