import { Agent, type RequestOptions, request } from 'node:http';
import { performance } from 'node:perf_hooks';

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
  readonly perSecond: number;
  /** Milliseconds; undefined if single operations are not measured. */
  readonly p50?: number;
  readonly p99?: number;
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
  const call = async (): Promise<void> => {
    for (let start = performance.now(); start < until; ) {
      await work();
      const end = performance.now();
      if (start >= measuredFrom && end <= until) durations.push(end - start);
      start = end;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const sorted = Float64Array.from(durations).toSorted();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99) };
};

/** Requests per second over persistent connections, one per caller. */
export const requestRate = async (
  span: Span,
  { url, method = 'POST', headers, body, expected }: Asked,
): Promise<Rate> => {
  const agent = new Agent({ keepAlive: true, maxSockets: span.callers });
  const options: RequestOptions = { agent, method, headers: { 'content-type': 'application/json', ...headers } };
  const rate = await rateOf(
    span,
    () =>
      new Promise((resolve, reject) => {
        const sent = request(url, options, (response) => {
          response.resume().once('end', resolve).once('error', reject);
          if (response.statusCode !== expected) reject(new Error(`${url} responded with ${response.statusCode}`));
        });
        sent.once('error', reject).end(body?.());
      }),
  );
  agent.destroy();
  return rate;
};
