import type { BenchStack } from '../bench-stack.ts';
import { startBenchProcess } from '../bench-process.ts';
import { meterCpu, meterMemory } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { givenClients, warmUp } from '../given-account.ts';
import type { Asked } from '../load/load.ts';
import type { Bench, Part } from '../part.ts';

const perSecond = 100;
const connections = 5_000;
// sooner than the api cuts off the first, after ten seconds
const withinSeconds = 8;
// longer than that, so that slow callers are cut off and come back meanwhile
const secondsFactor = 8;

const alone = `${perSecond} calls per second`;
const beside = `${perSecond} calls per second beside ${connections.toLocaleString('en')} slow callers`;

const atRate =
  ({ generator, settings }: Bench, { servers }: BenchStack, api: number, asked: Asked) =>
  async (): Promise<Figures> => {
    const [cpu, memory] = [meterCpu({ processes: { api, ...servers }, apart: {} }), meterMemory('api', api)];
    const seconds = settings.seconds * secondsFactor;
    const rate = await generator.run({ asked, seconds, warmUpSeconds: 0.5, connections: settings.callers, perSecond });
    return { 'p50 ms': rate.p50, 'p99 ms': rate.p99, ...memory(), ...cpu(rate.operations) };
  };

/** Strangers who hold connections open, and what callers notice of it. */
export const slow: Part = {
  does: () => `slow: ${perSecond} conversions a second, beside callers who send a byte per second`,
  goals: () => [{ measurement: beside, figure: 'p99 ms', beside: alone, target: { atMost: 2 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, conversion } = await givenClients(stack);
    await warmUp(bench, stack, conversion);
    const measure = atRate(bench, stack, api.pid, conversion);
    const besideSlowCallers = async (): Promise<Figures> => {
      await using callers = startBenchProcess(new URL('../load/slow-callers-process.ts', import.meta.url));
      await callers.ask({ url: conversion.url, connections, withinSeconds });
      return await measure();
    };
    return {
      measurements: new Map([
        [alone, measure],
        [beside, besideSlowCallers],
      ]),
    };
  },
};
