import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
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

const subject = 'Pages';

export const listPages = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/pages',
  subject,
  summary: 'The landing pages of an account',
  description: 'Those changed last first, with their leads of 30 days.',
  input: pagesInput,
  headers: nothing,
  replies: { 200: { description: 'The pages.', body: pagesReply, example: undefined } },
  handle: async ({ response }, { pages }) => ({ status: 200, body: await pages.list(scopeOf(response)) }),
});

export const readPage = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/pages/:id',
  subject,
  summary: 'One page with its content',
  description: 'As it is now.',
  input: readPageInput,
  headers: nothing,
  replies: { 200: { description: 'The page.', body: page, example: undefined } },
  handle: async ({ input, response }, { pages }) => ({
    status: 200,
    body: await pages.read(scopeOf(response), input.id),
  }),
});

export const checkPage = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/pages/check',
  subject,
  summary: 'Which fields of a draft cannot be saved',
  description: 'Stores nothing.',
  input: checkPageInput,
  headers: nothing,
  replies: { 200: { description: 'The fields.', body: checkPageReply, example: undefined } },
  handle: async ({ input: { draft } }, { pages }) => ({ status: 200, body: { problems: pages.check(draft) } }),
});

export const createPage = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/pages',
  subject,
  summary: 'Create a page',
  description: 'It is on at once.',
  input: createPageInput,
  headers: nothing,
  replies: { 200: { description: 'The page, or what to correct.', body: createPageReply, example: undefined } },
  async handle({ input, response }, { pages }) {
    const { email } = sessionOf(response).person;
    return { status: 200, body: await pages.create(scopeOf(response), email, input) };
  },
});
