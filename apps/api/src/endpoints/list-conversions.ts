import { dayAfter, daySchema, feedbackStates, platformNames } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { conversionBody, conversionReply, conversionView } from './conversion-reply.ts';
import { positionSchema, writePosition } from './list-position.ts';
import { optionalQuery } from './optional-query.ts';

const limits = { standard: 50, max: 200 } as const;
const limitExpected = `expected a whole number from 1 to ${limits.max}`;
const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, limitExpected)
  .transform(Number)
  .refine((limit) => limit <= limits.max, limitExpected);

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `expected ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` });

const input = z
  .object({
    from: optionalQuery(daySchema).meta({
      param: { description: 'First day (UTC) on which they occurred.', example: '2026-11-01' },
    }),
    to: optionalQuery(daySchema).meta({
      param: { description: 'Last day (UTC) on which they occurred.', example: '2026-11-30' },
    }),
    platform: optionalQuery(oneOf(platformNames)).meta({
      enum: platformNames,
      param: { description: 'Only conversions with a delivery to this platform.', example: 'meta' },
    }),
    state: optionalQuery(oneOf(feedbackStates)).meta({
      enum: feedbackStates,
      param: {
        description: 'Only conversions with a delivery in this state; with `platform`, a delivery to that platform.',
        example: 'failed',
      },
    }),
    limit: optionalQuery(limitSchema).meta({
      type: 'integer',
      minimum: 1,
      maximum: limits.max,
      param: { description: `Items per page: 1 to ${limits.max}, by default ${limits.standard}.`, example: 50 },
    }),
    after: optionalQuery(positionSchema).meta({
      param: { description: 'The `next` of the page before, with the same other parameters.' },
    }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'is after to',
  });

const midnight = (day: string) => `${day}T00:00:00.000000Z`;

const { example } = conversionReply;

export const listConversions = endpoint<ApiContext>()({
  method: 'get',
  path: '/client/conversions',
  subject: 'Conversions',
  summary: 'List conversions',
  description:
    'Returns the conversions of your account, newest first by `occurredAt`, each as reading it by its id does. Repeat the request with `after` until `next` is `null`: a page may have fewer items than `limit`, or none, although there are more. `platform` and `state` find conversions whose deliveries are still stored.',
  input,
  headers: nothing,
  replies: {
    200: {
      description: 'A page of conversions.',
      body: z.object({
        items: z.array(conversionBody),
        next: z.string().nullable().meta({ description: 'Send it as `after` to get the next page; `null`: the end.' }),
      }),
      example: { items: [example], next: writePosition({ occurredAt: '2026-11-21T12:00:00.000000Z', id: example.id }) },
    },
  },
  async handle({ input: { from, to, limit = limits.standard, ...filter }, response }, { listConversions: list }) {
    const { items, next } = await list(modeOf(response), {
      ...filter,
      limit,
      from: from && midnight(from),
      until: to && midnight(dayAfter(to)),
    });
    return { status: 200, body: { items: items.map(conversionView), next: next ? writePosition(next) : null } };
  },
});
