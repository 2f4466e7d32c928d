import { dayAfter, daySchema, matchKeys, platformNames, today } from '@leadback/domain';
import { readQuality } from '@leadback/core/quality/quality';
import { endpoint, nothing } from '@leadback/server/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { optionalQuery } from './parameters.ts';

const days = { standard: 30, max: 400 } as const;

const completed = ({
  from,
  to = today(),
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}) => ({
  from: from ?? dayAfter(to, 1 - days.standard),
  to,
});

const input = z
  .object({
    from: optionalQuery(daySchema).meta({
      param: {
        description: `First day (UTC) on which conversions occurred. Default: ${days.standard} days up to \`to\`.`,
        example: '2026-11-01',
      },
    }),
    to: optionalQuery(daySchema).meta({
      param: { description: 'Last day (UTC) on which conversions occurred. Default: today.', example: '2026-11-30' },
    }),
  })
  .refine((range) => completed(range).from <= completed(range).to, { path: ['from'], message: 'is after to' })
  .refine((range) => dayAfter(completed(range).from, days.max) > completed(range).to, {
    path: ['from'],
    message: `expected at most ${days.max} days up to to`,
  });

const share = z.number().min(0).max(1);
const counts = z.record(z.string(), z.int());

const quality = z
  .object({
    platform: z.enum(platformNames),
    conversions: z.int().meta({ description: 'Conversions whose delivery to the platform is closed.' }),
    delivered: z.int(),
    skipped: counts.meta({ description: 'How many were skipped, by reason: a code, or `other`.' }),
    failed: counts.meta({ description: 'How many failed, by reason: a code, or `other`.' }),
    keys: z.partialRecord(z.enum(matchKeys), share).meta({
      description:
        'For each key by which the platform matches: the share of the conversions that carried it, of those of which this is known. Empty if there are none.',
    }),
    advice: z
      .array(
        z.object({
          action: z.string(),
          affects: share.meta({ description: 'The share of the conversions that it would have helped.' }),
        }),
      )
      .meta({ description: 'What you can change, most effective first.' }),
  })
  .meta({ id: 'Quality' });

export const getQuality = endpoint<ApiContext>()({
  method: 'get',
  path: '/report/quality',
  subject: 'Reports',
  summary: 'Read the quality of your conversions',
  description:
    'Returns, for each platform, how many of your conversions were delivered, by which keys the platform could match them, and what you can change so that it matches more. Counted when a delivery is closed, also after its data has been deleted; a conversion counts once for each connection to the platform. Tests are not counted.',
  input,
  headers: nothing,
  replies: {
    200: {
      description: 'One entry for each platform with closed deliveries.',
      body: z.array(quality),
      example: [
        {
          platform: 'google',
          conversions: 200,
          delivered: 190,
          skipped: { no_match_keys: 8 },
          failed: { INVALID_CURRENCY_CODE: 2 },
          keys: { gclid: 0.61, gbraid: 0.04, wbraid: 0, email: 0.85, phone: 0.38 },
          advice: [
            {
              action: 'Send the phone number (`phoneNumber`) with POST /client, with its country code.',
              affects: 0.58,
            },
          ],
        },
      ],
    },
  },
  async handle({ input: range, response }, { reading }) {
    const platforms = await readQuality(reading, modeOf(response), completed(range));
    const body = platforms.map(({ advice, ...same }) => ({
      ...same,
      advice: advice.map(({ action, affects }) => ({ action, affects })),
    }));
    return { status: 200, body };
  },
});
