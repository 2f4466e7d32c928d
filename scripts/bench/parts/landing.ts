import { meterCpu } from '../cpu-meter.ts';
import { clickAt, givenAccount } from '../given-account.ts';
import { figuresOf, requestRate } from '../load.ts';
import type { Part } from '../part.ts';

export const landing: Part = {
  does: ({ callers, seconds }) => `landing: ${callers} connections click for ${seconds} s, one lead each`,
  run: async (stack, span) => {
    await givenAccount(stack);
    const { pid } = await stack.startApp('landing');
    const cpu = meterCpu({ landing: pid, ...stack.servers });
    const rate = await requestRate(span, clickAt(stack));
    return { ...figuresOf(rate), ...cpu(rate.operations) };
  },
};
