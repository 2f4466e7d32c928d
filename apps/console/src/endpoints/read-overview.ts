import { overviewInput, overviewReply } from '../contract/overview.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

export const readOverview = endpoint({
  method: 'get',
  path: '/accounts/:account/overview',
  input: overviewInput,
  replies: { 200: { body: overviewReply } },
  handle: async ({ input, response }, { readOverview: read }) => ({
    status: 200,
    body: await read(scopeOf(response), input),
  }),
});
