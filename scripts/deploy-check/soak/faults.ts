import { setTimeout as pause } from 'node:timers/promises';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { killWithin } from '../stack/containers.ts';

export interface Fault {
  readonly name: string;
  /** Resolves when it is over; the stack may still be recovering. */
  readonly happen: (stack: ComposeStack, random: () => number) => Promise<void>;
  /** What must be healthy again. */
  readonly service: string;
}

export const services = ['landing', 'api', 'feedback-worker', 'console', 'rabbitmq', 'postgres'] as const;
const frozenMs = { min: 2_000, max: 20_000 } as const;
const downMs = { min: 500, max: 15_000 } as const;

const between = ({ min, max }: { readonly min: number; readonly max: number }, random: () => number) =>
  min + random() * (max - min);

const killed = (service: string): Fault => ({
  name: `${service} is killed with -9`,
  service,
  happen: async (stack) => killWithin(await stack.container(service)),
});

const frozen = (service: string): Fault => ({
  name: `${service} hangs for some seconds`,
  service,
  happen: async (stack, random) => {
    try {
      await stack.compose('pause', service);
      await pause(between(frozenMs, random));
    } finally {
      // also after a pause that failed, which on a busy machine may have stopped some of its processes
      await stack.compose('unpause', service).catch(() => {});
    }
  },
});

const stopped = (service: string): Fault => ({
  name: `${service} is stopped and started`,
  service,
  happen: async (stack, random) => {
    await stack.compose('stop', service);
    await pause(between(downMs, random));
    await stack.compose('start', service);
  },
});

const closed: Fault = {
  name: 'rabbitmq closes all connections',
  service: 'rabbitmq',
  happen: async (stack) => {
    const close = 'rabbitmqctl --quiet close_all_connections soak';
    await stack.compose('exec', '--no-TTY', '--user', 'rabbitmq', 'rabbitmq', ...close.split(' '));
  },
};

/** Faults of processes and of the network between them. The platforms' sandbox hangs, but is not killed: it would forget. */
export const faults: readonly Fault[] = [
  ...services.flatMap((service) => [killed(service), frozen(service), stopped(service)]),
  frozen('sandbox'),
  closed,
];
