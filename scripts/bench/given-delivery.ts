import type { LocalProcess } from '@leadback/local-stack';
import type { AppSettings, BenchStack } from './bench-stack.ts';
import { givenClients, warmUp } from './given-account.ts';
import type { Rate } from './load/load.ts';
import { untilDelivered } from './open-deliveries.ts';
import type { Bench } from './part.ts';
import { clearEvents } from './sandbox.ts';

export interface Delivery extends Awaited<ReturnType<typeof givenClients>> {
  readonly stack: BenchStack;
  readonly sandbox: LocalProcess;
  readonly worker: LocalProcess;
}

/** An account whose conversions are delivered to Meta and Google: the apps run, are warm, and have nothing left to do. */
export const givenDelivery = async (bench: Bench, ofApi: AppSettings = {}): Promise<Delivery> => {
  const stack = await bench.open();
  const given = await givenClients(stack, { platforms: ['meta', 'google'] }, ofApi);
  const sandbox = await stack.startApp('sandbox');
  const worker = await stack.startApp('feedback-worker');
  await warmUp(bench, stack, given.conversion);
  await untilDelivered(stack.pool);
  return { stack, ...given, sandbox, worker };
};

export const conversionsPerSecond = 100;

/** Registers conversions at that rate, of which alone `receiptsOf` then knows. */
export const registerAtRate = async (
  { generator, settings }: Bench,
  { stack, conversion }: Delivery,
  seconds: number,
): Promise<Rate> => {
  await clearEvents(stack);
  return generator.run({
    asked: conversion,
    seconds,
    warmUpSeconds: 0.5,
    connections: settings.callers,
    perSecond: conversionsPerSecond,
  });
};
