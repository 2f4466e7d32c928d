import { startBaseline } from '../baselines/baseline.ts';
import { clickAt, givenAccount, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';

// nothing but landing works for a page
const polling = { polls: true };
const beside = 'bare node:http, same bytes';

export const page: Part = {
  does: ({ callers }) => `page: ${callers} connections get a landing page`,
  goals: () => [{ measurement: 'page', figure: 'per second', beside, target: { atLeast: 0.3 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    await givenAccount(stack, { mode: 'page' });
    const { pid } = await stack.startApp('landing');
    const click = clickAt(stack.landingUrl, 200);
    await warmUp(bench, stack, click);
    return {
      measurements: new Map([['page', underLoad(bench, click, { landing: pid, ...stack.servers }, polling)]]),
      baselines: async () => {
        const env = { PAGE_URL: click.url, PAGE_HEADERS: JSON.stringify(click.headers) };
        const server = stack.use(await startBaseline('page', env));
        const same = { ...click, url: server.url };
        await warmUp(bench, stack, same);
        return new Map([[beside, underLoad(bench, same, { 'node:http': server.pid }, polling)]]);
      },
      profiledPid: pid,
    };
  },
};
