import { Agent, type RequestOptions, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Figures, quantile } from './figures.ts';

export interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the body of the next request. */
  readonly body?: () => string;
  /** Any other status aborts the benchmark. */
  readonly expected: number;
}

export interface Rate {
  /** Operations in all, also those of the warm-up. */
  readonly operations: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Span {
  readonly seconds: number;
  readonly callers: number;
}

const warmUpMs = 2_000;

/** Each caller repeats `work` sequentially; the first two seconds are not measured. */
export const rateOf = async ({ seconds, callers }: Span, work: () => Promise<void>): Promise<Rate> => {
  const measuredFrom = performance.now() + warmUpMs;
  const until = measuredFrom + seconds * 1_000;
  const durations: number[] = [];
  let operations = 0;
  const call = async (): Promise<void> => {
    for (let start = performance.now(); start < until; ) {
      await work();
      operations += 1;
      const end = performance.now();
      if (start >= measuredFrom && end <= until) durations.push(end - start);
      start = end;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return {
    operations,
    perSecond: durations.length / seconds,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
  };
};

export const figuresOf = ({ perSecond, p50, p99 }: Rate): Figures => ({
  'per second': perSecond,
  'p50 ms': p50,
  'p99 ms': p99,
});

/** Sends one request and reads its response to the end. */
export const send = (
  { url, method = 'POST', headers, body, expected }: Asked,
  options: RequestOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const all = { ...options, method, headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(url, all, (response) => {
      response.resume().once('end', resolve).once('error', reject);
      if (response.statusCode !== expected) reject(new Error(`${url} responded with ${response.statusCode}`));
    });
    sent.once('error', reject).end(body?.());
  });

/** Requests per second over persistent connections, one per caller. */
export const requestRate = async (span: Span, asked: Asked): Promise<Rate> => {
  const agent = new Agent({ keepAlive: true, maxSockets: span.callers });
  const rate = await rateOf(span, () => send(asked, { agent }));
  agent.destroy();
  return rate;
};
