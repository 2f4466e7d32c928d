import { givenBaseline } from '../baselines/given-baseline.ts';
import { clickAt, givenAccount, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';

const beside = 'bare node:http + pg, one INSERT';

export const redirect: Part = {
  does: ({ callers }) => `redirect: ${callers} connections click, a lead each`,
  goals: () => [{ measurement: 'redirect', figure: 'per second', beside, target: { atLeast: 1.3 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    await givenAccount(stack);
    const { pid } = await stack.startApp('landing');
    const click = clickAt(stack.landingUrl, 302);
    await warmUp(bench, stack, click);
    return {
      measurements: new Map([
        ['redirect', underLoad(bench, click, { landing: pid, ...stack.servers }, { leadsIn: stack.pool })],
      ]),
      baselines: async () => {
        const clickBaseline = await givenBaseline(bench, stack, 'redirect', (url) => clickAt(url, 302));
        return new Map([[beside, clickBaseline]]);
      },
      profiledPid: pid,
    };
  },
};
