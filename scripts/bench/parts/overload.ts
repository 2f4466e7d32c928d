import { meterMemory } from '../cpu-meter.ts';
import { type Figures, medianOf } from '../figures.ts';
import { givenClients, warmUp } from '../given-account.ts';
import { steadyLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';
import { say } from '../say.ts';

// more than the api accepts at the same time
const connections = 3_000;
const acceptedMax = 2_000;
const times = 3;
const sliceSeconds = 10;
const recoveryMaxMs = 60_000;

const measurement = `${times} times the capacity`;

/** Resolves to the seconds until nothing is refused any more, with those of the load that shows it. */
const untilRecovered = async (isServed: () => Promise<boolean>): Promise<number> => {
  const start = performance.now();
  while (!(await isServed())) {
    if (performance.now() - start > recoveryMaxMs) throw new Error('the api has not recovered within a minute');
  }
  return (performance.now() - start) / 1_000;
};

/** In slices, so that the load generator keeps no more than one of them. */
export const overload: Part = {
  does: ({ seconds }) =>
    `overload: ${times} times as many conversions as the api registers, for ${seconds} s, over ${connections} connections`,
  goals: () => [
    { measurement, figure: 'highest p99 ms', target: { atMost: 1_000 } },
    { measurement, figure: 'seconds until recovered', target: { atMost: 5 } },
  ],
  rounds: 1,
  prepare: async (bench) => {
    const { generator, settings } = bench;
    const stack = await bench.open();
    const { api, conversion } = await givenClients(stack);
    await warmUp(bench, stack, conversion);

    const flood = async (): Promise<Figures> => {
      const steadily = () => steadyLoad(bench, conversion, { seconds: Math.min(settings.seconds, sliceSeconds) });
      const { perSecond: capacity } = await steadily();
      const pauseMs = ((connections - acceptedMax) / ((times - 1) * capacity)) * 1_000;
      const refusing = { status: 503, pauseMs };
      const slices = Math.ceil(settings.seconds / sliceSeconds);
      const seconds = settings.seconds / slices;
      const [accepted, p99s, highestMb]: [number[], number[], number[]] = [[], [], []];
      let refused = 0;
      for (let slice = 1; slice <= slices; slice += 1) {
        const memory = meterMemory('api', api.pid);
        const load = { asked: conversion, seconds, warmUpSeconds: 0, connections, refused: refusing };
        const rate = await generator.run(load);
        accepted.push(rate.perSecond);
        p99s.push(rate.p99);
        highestMb.push(memory()['MB: api, highest'] ?? Number.NaN);
        refused += rate.refused;
        say(`  ${slice} of ${slices}: ${rate.perSecond.toFixed()} accepted per second, p99 ${rate.p99.toFixed()} ms`);
      }
      const recovered = await untilRecovered(async () => {
        const { callers } = settings;
        const load = { asked: conversion, seconds: 0.25, warmUpSeconds: 0, connections: callers, refused: refusing };
        return (await generator.run(load)).refused === 0;
      });
      const { perSecond: after } = await steadily();
      return {
        'per second before': capacity,
        'per second': medianOf(accepted),
        'refused per second': refused / settings.seconds,
        'highest p99 ms': Math.max(...p99s),
        'MB: api, in the first slice': highestMb[0] ?? Number.NaN,
        'MB: api, in the last slice': highestMb.at(-1) ?? Number.NaN,
        'seconds until recovered': recovered,
        'per second after': after,
      };
    };
    return { measurements: new Map([[measurement, flood]]) };
  },
};
