import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { overviewInput, overviewReply } from '../contract/overview.ts';
import { scopeOf } from '../sessions/authenticate.ts';

export const readOverview = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/overview',
  subject: 'Overview',
  summary: 'What clicks earned',
  description: 'In a range of days and in the one before.',
  input: overviewInput,
  headers: nothing,
  replies: { 200: { description: 'The overview.', body: overviewReply, example: undefined } },
  handle: async ({ input, response }, { readOverview: read }) => ({
    status: 200,
    body: await read(scopeOf(response), input),
  }),
});
