import { connectionStates, currencies, platformNamed, platformNames } from '@leadback/domain';
import { reasonMeaning, reasonText } from '@leadback/domain/reasons';
import { type ConnectionFunnel, type Funnel, funnelSteps, readFunnels } from '@leadback/core/quality/funnel';
import { endpoint, nothing } from '@leadback/server/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { optionalQuery, recordId } from './parameters.ts';
import { completedDays, reportedDays, timeZone } from './quality.ts';

const input = reportedDays.extend({
  connection: optionalQuery(recordId).meta({
    param: { description: 'Only this connection, by the `connection.id` of this report.', example: '3' },
  }),
});

const count = z
  .object({
    conversions: z.int(),
    amounts: z
      .partialRecord(z.enum(currencies), z.number())
      .meta({ description: 'Of these conversions as they were registered, by currency.' }),
  })
  .meta({ id: 'ReportedCount' });

const [, ...lossSteps] = funnelSteps;

const funnel = {
  registered: count.meta({ description: 'Conversions that the connection is told of, or was to be told of.' }),
  eligible: count.meta({ description: 'There is something to tell the platform, and it may be told.' }),
  sent: count.meta({ description: 'The platform answered, or will not be asked again.' }),
  accepted: count.meta({ description: 'The platform accepted the event.' }),
  processed: count
    .nullable()
    .meta({ description: 'The platform reports that it used the event; `null`: it reports nothing of the kind.' }),
  losses: z
    .array(
      count.extend({
        step: z.enum(lossSteps).meta({ description: 'The step that these conversions did not reach.' }),
        reason: z.string().meta({ description: 'A code, or `other`.' }),
        meaning: z.string().nullable(),
        action: z.string().nullable().meta({ description: 'What helps; `null`: nothing, or only the platform knows.' }),
      }),
    )
    .meta({ description: 'Step by step, most conversions first.' }),
};

const report = z
  .object({
    timeZone,
    connection: z.object({
      id: z.int(),
      label: z.string().meta({ description: 'What it is called, or where it leads.' }),
      state: z.enum(connectionStates),
      deleted: z.boolean().meta({ description: 'It is told of nothing more.' }),
    }),
    platform: z.enum(platformNames),
    partial: z.boolean().meta({
      description: 'More deliveries wait than are counted: `registered` and `eligible` are at least so many.',
    }),
    total: z.object(funnel),
    days: z
      .array(z.object({ day: z.iso.date(), ...funnel }))
      .meta({ description: 'Days with conversions, newest first.' }),
  })
  .meta({ id: 'DeliveryReport' });

type Count = z.input<typeof count>;

const countView = ({ conversions, money }: Funnel['registered']): Count => ({
  conversions,
  amounts: Object.fromEntries(money.map(({ currency, amount }) => [currency, Number(amount)])),
});

const described = (reason: string, platform: ConnectionFunnel['platform']) => {
  const text = reasonText('en', reason);
  const days = platformNamed(platform)?.eventDaysMax ?? 0;
  return { meaning: (text && reasonMeaning(text, days)) ?? null, action: text?.remedy ?? null };
};

const funnelView = (funnelOf: Funnel, platform: ConnectionFunnel['platform']) => ({
  registered: countView(funnelOf.registered),
  eligible: countView(funnelOf.eligible),
  sent: countView(funnelOf.sent),
  accepted: countView(funnelOf.accepted),
  processed: funnelOf.processed && countView(funnelOf.processed),
  losses: funnelOf.losses.map(({ step, reason, ...counted }) => ({
    ...countView(counted),
    step,
    reason,
    ...described(reason, platform),
  })),
});

const example = {
  registered: { conversions: 44, amounts: { USD: 4400 } },
  eligible: { conversions: 42, amounts: { USD: 4200 } },
  sent: { conversions: 42, amounts: { USD: 4200 } },
  accepted: { conversions: 42, amounts: { USD: 4200 } },
  processed: { conversions: 7, amounts: { USD: 700 } },
  losses: [
    {
      conversions: 2,
      amounts: { USD: 200 },
      step: 'eligible',
      reason: 'no_match_keys',
      ...described('no_match_keys', 'google'),
    },
    {
      conversions: 35,
      amounts: { USD: 3500 },
      step: 'processed',
      reason: 'CLICK_NOT_FOUND',
      ...described('CLICK_NOT_FOUND', 'google'),
    },
  ],
} as const;

export const getDeliveryReport = endpoint<ApiContext>()({
  method: 'get',
  path: '/report/deliveries',
  subject: 'Reports',
  summary: 'Read how far your conversions came',
  description:
    'Returns, for each connection and day, how many of your conversions were registered, eligible, sent, accepted and, where the platform reports it, processed. Each step down has the reasons and what to do. A conversion counts once for each connection. Leads, adjustments and tests are not counted.',
  input,
  headers: nothing,
  replies: {
    200: {
      description: 'One entry for each connection to a platform.',
      body: z.array(report),
      example: [
        {
          timeZone: 'America/Argentina/Buenos_Aires',
          connection: { id: 3, label: 'Shop in Argentina', state: 'active', deleted: false },
          platform: 'google',
          partial: false,
          total: { ...example, losses: [...example.losses] },
          days: [{ day: '2026-11-21', ...example, losses: [...example.losses] }],
        },
      ],
    },
  },
  async handle({ input: { connection: connectionId, ...asked }, response }, { reading }) {
    const mode = modeOf(response);
    const { timeZone: zone, range } = await completedDays(reading, { ...mode, ...asked, daysMax: 92 });
    const funnels = await readFunnels(reading, mode, { ...range, connectionId });
    const body = funnels.map(({ connectionId: id, platform, label, isPartial: partial, total, days, ...via }) => ({
      timeZone: zone,
      connection: { id, label, state: via.connectionState, deleted: via.isConnectionDeleted },
      platform,
      partial,
      total: funnelView(total, platform),
      days: days.map(({ day, ...ofDay }) => ({ day, ...funnelView(ofDay, platform) })),
    }));
    return { status: 200, body };
  },
});
