import { clientAt, givenAccount, givenLeads, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';
import { oneByOne, registrationBaseline } from './registration-baseline.ts';

export const client: Part = {
  does: ({ callers }) => `client: ${callers} connections register clients`,
  goals: () => [{ measurement: 'client', figure: 'per second', beside: oneByOne, target: { atLeast: 1.6 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    const headers = await givenAccount(stack);
    const leads = await givenLeads(stack);
    const { pid } = await stack.startApp('api');
    const asked = clientAt(stack.apiUrl, headers, leads);
    await warmUp(bench, stack, asked);
    return {
      measurements: new Map([['client', underLoad(bench, asked, { api: pid, ...stack.servers })]]),
      baselines: registrationBaseline(bench, stack, (url) => clientAt(url, headers, leads)),
    };
  },
};
