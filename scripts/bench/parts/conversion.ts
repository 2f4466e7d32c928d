import { conversionAt, givenClients, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';
import { oneByOne, registrationBaseline } from './registration-baseline.ts';

export const conversion: Part = {
  does: ({ callers }) => `conversion: ${callers} connections register conversions of an account without platforms`,
  goals: () => [{ measurement: 'conversion', figure: 'per second', beside: oneByOne, target: { atLeast: 1.6 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, headers, clients, conversion: asked } = await givenClients(stack);
    await warmUp(bench, stack, asked);
    return {
      measurements: new Map([['conversion', underLoad(bench, asked, { api: api.pid, ...stack.servers })]]),
      baselines: registrationBaseline(bench, stack, (url) => conversionAt(url, headers, clients)),
      profiledPid: api.pid,
    };
  },
};
