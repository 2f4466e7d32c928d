import { askedErasureDays, erasureWays, Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf, modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { erasureId, exampleErasureId } from './erasure-id.ts';

const limit = 100;

const asked = z.object({
  id: z.string(),
  leadReference: z.string().meta({ description: 'Of the lead that the visitor named.' }),
  way: z.enum(erasureWays).meta({
    description:
      '`reference`: the visitor had the lead reference alone, which anybody may have read in a URL; nothing is erased. `cookie`: the browser has left the lead, whose data are erased; several clients came from it, who may be several persons.',
  }),
  requestedAt: z.iso.datetime(),
  until: z.iso.datetime().meta({ description: 'Then the request lapses: it is forgotten whom it was about.' }),
});

export const listAskedErasures = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/erasure',
  subject: 'Clients',
  summary: 'List erasures to decide on',
  description: `Returns the newest ${limit} erasures that visitors asked for on your landing pages and that wait for you, for ${askedErasureDays} days each. Ask the person who writes to you, or look whether the lead is theirs, before you confirm one. With a test key, none.`,
  input: z.object({}),
  headers: nothing,
  replies: {
    200: {
      description: 'The erasures.',
      body: z.object({ items: z.array(asked) }),
      example: {
        items: [
          {
            id: exampleErasureId,
            leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
            way: 'reference',
            requestedAt: '2026-11-23T12:00:00.000Z',
            until: '2026-12-23T12:00:00.000Z',
          },
        ],
      },
    },
  },
  refusals: [],
  async handle({ response }, { listAsked }) {
    const { accountId, isTest } = modeOf(response);
    const found = isTest ? [] : await listAsked(accountId, limit);
    const items = found.map(({ requestedAt, until, ...same }) => ({
      ...same,
      requestedAt: requestedAt.toISOString(),
      until: until.toISOString(),
    }));
    return { status: 200, body: { items } };
  },
});

export const confirmErasure = endpoint<ApiContext>()({
  method: 'post',
  path: '/client/erasure/:id/confirmation',
  subject: 'Clients',
  summary: 'Confirm an erasure that a visitor asked for',
  description:
    'Erases the lead and all its clients for good, within seconds, as `POST /client/erasure` with the lead reference. Again, it changes nothing.',
  input: z.object({ id: erasureId }),
  body: 'none',
  headers: nothing,
  replies: {
    202: {
      description: 'The erasure will be performed.',
      body: z.object({ id: z.string() }),
      example: { id: exampleErasureId },
    },
  },
  refusals: ['not-found.erasure'],
  async handle({ input: { id }, response }, { confirmErasure: confirm }) {
    const { accountId, isTest, actor } = callerOf(response);
    if (isTest || !(await confirm({ accountId, id, by: 'partner', actor }))) throw new Refusal('not-found.erasure');
    return { status: 202, body: { id } };
  },
});
