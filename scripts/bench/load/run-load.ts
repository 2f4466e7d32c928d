import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../figures.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Load, Rate } from './load.ts';
import { requestWriter } from './request-bytes.ts';

interface Sent {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Resolves to the status. */
type SendNext = (connection: Connection) => Promise<number>;

const openFor = ({ asked, refused }: Load) =>
  openConnection(new URL(asked.url), refused ? [asked.expected, refused.status] : [asked.expected]);

/** Each connection sends the next request when it has the response to the last. */
const steadily = async (load: Load, until: number, sendNext: SendNext): Promise<void> => {
  const { connections, refused } = load;
  const repeat = async (): Promise<void> => {
    const connection = await openFor(load);
    while (performance.now() < until) {
      if ((await sendNext(connection)) === refused?.status) await pause(refused.pauseMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, repeat));
};

/** Requests start at fixed times, on a free connection or a new one. */
const atRate = async (load: Load, perSecond: number, until: number, sendNext: SendNext): Promise<void> => {
  const [free, all]: [Connection[], Promise<void>[]] = [[], []];
  const start = performance.now();
  const sendOnce = async (): Promise<void> => {
    const connection = free.pop() ?? (await openFor(load));
    await sendNext(connection);
    free.push(connection);
  };
  for (let time = start; time < until; time += 1_000 / perSecond) {
    await pause(Math.max(0, time - performance.now()));
    all.push(sendOnce());
  }
  await Promise.all(all);
  for (const connection of free) connection.close();
};

/** Keeps this process awake until it is disposed. */
const stayAwake = (): Disposable => {
  const again = (): void => {
    next = setImmediate(again);
  };
  let next = setImmediate(again);
  return { [Symbol.dispose]: () => clearImmediate(next) };
};

export const runLoad = async (load: Load): Promise<Rate> => {
  const { asked, seconds, warmUpSeconds, perSecond, refused } = load;
  using _awake = load.polls ? stayAwake() : undefined;
  const nextRequest = requestWriter(asked);
  const measuredFrom = performance.now() + warmUpSeconds * 1_000;
  const until = measuredFrom + seconds * 1_000;
  const measured: Sent[] = [];
  let [operations, refusedCount] = [0, 0];
  const sendNext: SendNext = (connection) =>
    new Promise((resolve) => {
      const { number, bytes } = nextRequest();
      const start = performance.now();
      connection.send(bytes, (status) => {
        const end = performance.now();
        resolve(status);
        if (status === refused?.status) {
          refusedCount += 1;
          return;
        }
        operations += 1;
        const isMeasured = perSecond === undefined ? start >= measuredFrom && end <= until : start >= measuredFrom;
        if (isMeasured) measured.push({ number, start, end });
      });
    });
  await (perSecond === undefined ? steadily(load, until, sendNext) : atRate(load, perSecond, until, sendNext));

  if (measured.length === 0) throw new Error(`${asked.url} responded to nothing within ${seconds} s`);
  const durations = measured.map(({ start, end }) => end - start);
  return {
    operations,
    perSecond: measured.length / seconds,
    refused: refusedCount,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    responses: perSecond === undefined ? [] : measured.map(({ number, end }) => [number, performance.timeOrigin + end]),
  };
};
