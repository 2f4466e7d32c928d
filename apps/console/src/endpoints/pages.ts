import {
  checkPageInput,
  checkPageReply,
  createPageInput,
  createPageReply,
  page,
  pagesInput,
  pagesReply,
  readPageInput,
} from '../contract/pages.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

export const listPages = endpoint({
  method: 'get',
  path: '/accounts/:account/pages',
  input: pagesInput,
  replies: { 200: { body: pagesReply } },
  handle: async ({ response }, { pages }) => ({ status: 200, body: await pages.list(scopeOf(response)) }),
});

export const readPage = endpoint({
  method: 'get',
  path: '/accounts/:account/pages/:id',
  input: readPageInput,
  replies: { 200: { body: page } },
  handle: async ({ input, response }, { pages }) => ({
    status: 200,
    body: await pages.read(scopeOf(response), input.id),
  }),
});

export const checkPage = endpoint({
  method: 'post',
  path: '/accounts/:account/pages/check',
  input: checkPageInput,
  replies: { 200: { body: checkPageReply } },
  handle: async ({ input: { draft } }, { pages }) => ({ status: 200, body: { problems: pages.check(draft) } }),
});

export const createPage = endpoint({
  method: 'post',
  path: '/accounts/:account/pages',
  input: createPageInput,
  replies: { 200: { body: createPageReply } },
  async handle({ input, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.create(scopeOf(response), email, input) };
  },
});
