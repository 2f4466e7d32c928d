import { dayAfter, daySchema, matchKeys, platformNames, Refusal } from '@leadback/domain';
import { readToday } from '@leadback/core/accounts/days';
import { type PlatformReport, readReport } from '@leadback/core/quality/report';
import { endpoint, nothing } from '@leadback/server/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { optionalQuery } from './parameters.ts';

const standardDays = 30;

/** The days that a report is asked for. */
export const reportedDays = z.object({
  from: optionalQuery(daySchema).meta({
    param: {
      description: `First day on which conversions occurred, in the time zone of your account. Default: ${standardDays} days up to \`to\`.`,
      example: '2026-11-01',
    },
  }),
  to: optionalQuery(daySchema).meta({
    param: {
      description: 'Last day on which conversions occurred, in the time zone of your account. Default: today.',
      example: '2026-11-30',
    },
  }),
});

interface Asked extends z.output<typeof reportedDays> {
  readonly accountId: number;
  readonly daysMax: number;
}

const wrong = (message: string) => new Refusal('invalid-fields', { message: `from: ${message}` });

/** The days of a report, with those that are not asked for, and the time zone in which they begin. */
export const completedDays = async (
  on: ApiContext['reading'],
  { accountId, from: first, to: last, daysMax }: Asked,
) => {
  const { timeZone, today } = await readToday(on, accountId);
  const to = last ?? today;
  const from = first ?? dayAfter(to, 1 - standardDays);
  if (from > to) throw wrong('is after to');
  if (dayAfter(from, daysMax) <= to) throw wrong(`expected at most ${daysMax} days up to to`);
  return { timeZone, range: { from, to } };
};

const share = z.number().min(0).max(1);

/** Of a report. */
export const timeZone = z.string().meta({ description: 'The time zone of your account, in which its days begin.' });
const counts = z.record(z.string(), z.int());

const quality = z
  .object({
    timeZone,
    platform: z.enum(platformNames),
    conversions: z.int().meta({ description: 'Conversions whose delivery to the platform is closed.' }),
    delivered: z.int(),
    skipped: counts.meta({ description: 'How many were skipped, by reason: a code, or `other`.' }),
    failed: counts.meta({ description: 'How many failed, by reason: a code, or `other`.' }),
    keys: z.partialRecord(z.enum(matchKeys), share).meta({
      description:
        'For each key by which the platform matches: the share of the conversions that carried it, of those of which this is known. Empty if there are none.',
    }),
    pending: z.int().meta({ description: 'Deliveries that are not closed, whatever the day of their conversions.' }),
    oldestPendingAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the oldest of their conversions occurred.' }),
    undelivered: z.int().meta({
      description:
        'Conversions of the range that no connection took, so that no platform was told of them: the same number for each platform.',
    }),
    needsAttention: z
      .array(
        z.object({
          connection: z.object({ id: z.int(), label: z.string() }),
          since: z.iso.datetime(),
          reason: z
            .string()
            .meta({ description: 'Why the platform rejects the connection, in its words, or `paused`.' }),
          waiting: z.int().meta({ description: 'Deliveries that wait for the connection.' }),
          amounts: z.record(z.string(), z.number()).meta({
            description: 'What the conversions among them are worth, by currency; of more than 10,000, the oldest.',
          }),
        }),
      )
      .meta({ description: 'Connections that send nothing until your operator acts.' }),
    advice: z
      .array(
        z.object({
          action: z.string(),
          affects: share.meta({ description: 'The share of the conversions that it would have helped.' }),
        }),
      )
      .meta({ description: 'What you can change: first what blocks, then the most effective.' }),
  })
  .meta({ id: 'Quality' });

const reportView = (
  zone: string,
  { advice, oldestPendingAt, needsAttention, ...same }: PlatformReport,
): z.infer<typeof quality> => ({
  timeZone: zone,
  ...same,
  oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
  needsAttention: needsAttention.map(({ connectionId: id, label, since, reason, deliveries, money }) => ({
    connection: { id, label },
    since: since.toISOString(),
    reason: reason ?? 'paused',
    waiting: deliveries,
    amounts: Object.fromEntries(money.map(({ currency, amount }) => [currency, Number(amount)])),
  })),
  advice: [...advice],
});

export const getQuality = endpoint<ApiContext>()({
  method: 'get',
  path: '/report/quality',
  subject: 'Reports',
  summary: 'Read the quality of your conversions',
  description:
    'Returns, for each platform, how many of your conversions were delivered, and by which keys the platform could match them. Also what waits and for whom, and what you can change so that it matches more. Counted when a delivery is closed, also after its data has been deleted; a conversion counts once for each connection to the platform. Tests are not counted.',
  input: reportedDays,
  headers: nothing,
  replies: {
    200: {
      description:
        'One entry for each platform with closed deliveries, and for each with a connection of yours if anything waits.',
      body: z.array(quality),
      example: [
        {
          timeZone: 'America/Argentina/Buenos_Aires',
          platform: 'google',
          conversions: 200,
          delivered: 190,
          skipped: { no_match_keys: 8 },
          failed: { INVALID_CURRENCY_CODE: 2 },
          keys: { gclid: 0.61, gbraid: 0.04, wbraid: 0, email: 0.85, phone: 0.38 },
          pending: 6,
          oldestPendingAt: '2026-11-27T22:14:03.000Z',
          undelivered: 0,
          needsAttention: [
            {
              connection: { id: 3, label: '1234567890/987654321' },
              since: '2026-11-27T23:05:41.000Z',
              reason: 'invalid_grant: Token has been expired or revoked.',
              waiting: 6,
              amounts: { USD: 299.8 },
            },
          ],
          advice: [
            {
              action:
                'Ask your operator to fix the connection "1234567890/987654321", which Google Ads rejects; deliveries that wait for it: 6. Google Ads says: invalid_grant: Token has been expired or revoked.',
              affects: 0.0291,
            },
            {
              action: 'Send the phone number (`phoneNumber`) with POST /client, with its country code.',
              affects: 0.58,
            },
          ],
        },
      ],
    },
  },
  async handle({ input, response }, { reading }) {
    const mode = modeOf(response);
    const { timeZone: zone, range } = await completedDays(reading, { ...mode, ...input, daysMax: 400 });
    const platforms = await readReport(reading, mode, range);
    return { status: 200, body: platforms.map((platform) => reportView(zone, platform)) };
  },
});
