import { meterCpu } from '../cpu-meter.ts';
import { givenClients, warmUp } from '../given-account.ts';
import { figuresOf, requestRate, send } from '../load.ts';
import type { Part } from '../part.ts';

export const conversions: Part = {
  does: ({ callers, seconds }) =>
    `api: ${callers} connections register conversions for ${seconds} s, two deliveries each; no worker runs`,
  run: async (stack, span) => {
    const { api, conversion } = await givenClients(stack);
    await warmUp(stack, span.callers, () => send(conversion));
    const cpu = meterCpu({ api: api.pid, ...stack.servers });
    const rate = await requestRate(span, conversion);
    return { ...figuresOf(rate), ...cpu(rate.operations) };
  },
};
