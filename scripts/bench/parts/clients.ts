import { meterCpu } from '../cpu-meter.ts';
import { clientOf, givenAccount, givenLeads, warmUp } from '../given-account.ts';
import { figuresOf, requestRate, send } from '../load.ts';
import type { Part } from '../part.ts';

export const clients: Part = {
  does: ({ callers, seconds }) => `api: ${callers} connections register clients for ${seconds} s`,
  run: async (stack, span) => {
    const headers = await givenAccount(stack);
    const client = clientOf(stack, headers, await givenLeads(stack));
    const { pid } = await stack.startApp('api');
    await warmUp(stack, span.callers, () => send(client));
    const cpu = meterCpu({ api: pid, ...stack.servers });
    const rate = await requestRate(span, client);
    return { ...figuresOf(rate), ...cpu(rate.operations) };
  },
};
