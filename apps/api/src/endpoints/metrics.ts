import { type MetricDimension, metricDimensions, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { currencies, deliveryStates, platformNames, Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/server/http';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { optionalQuery } from './parameters.ts';
import { completedDays, reportedDays, timeZone } from './quality.ts';

const rowsMax = 10_000;
const standardDimensions: readonly MetricDimension[] = ['platform', 'campaign'];
const expected = `expected ${metricDimensions.join(', ')}, or several with commas`;

const input = reportedDays.extend({
  by: optionalQuery(
    z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.enum(metricDimensions, expected))),
  ).meta({
    type: 'string',
    param: {
      description: `What to group by: ${metricDimensions.map((name) => `\`${name}\``).join(', ')}, or several with commas. Default: \`platform,campaign\`.`,
      example: 'platform,campaign',
    },
  }),
});

const said = z.string().nullable();
const count = z.int();
const money = z.partialRecord(z.enum(currencies), z.number());

const metrics = z
  .object({
    timeZone,
    day: z.iso.date().nullable(),
    page: said.meta({ description: 'The name of the landing page in its address.' }),
    platform: said.meta({ description: 'The ad platform whose click id the visit had.' }),
    source: said,
    medium: said,
    campaign: said.meta({
      description:
        '`utm_campaign`. Without one, the id that the platform gives (`gad_campaignid`, `utm_id`), or the name that came with this id.',
    }),
    term: said,
    content: said,
    leads: count,
    clients: count,
    conversions: count,
    amounts: money.meta({ description: 'After adjustments, by currency.' }),
    refunded: money,
    deliveries: z.partialRecord(z.enum(platformNames), z.partialRecord(z.enum(deliveryStates), count)),
  })
  .meta({ id: 'Metrics' });

type Values = Readonly<Record<string, number>>;

const named = (names: readonly string[], values: Values, measure: string) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[`${measure}.${name}`];
      return value === undefined || value === 0 ? [] : [[name, value]];
    }),
  );

const deliveriesIn = (values: Values) =>
  Object.fromEntries(
    platformNames.flatMap((platform) => {
      const states = named(deliveryStates, values, `deliveries.${platform}`);
      return Object.keys(states).length === 0 ? [] : [[platform, states]];
    }),
  );

export const getMetrics = endpoint<ApiContext>()({
  method: 'get',
  path: '/report/metrics',
  subject: 'Reports',
  summary: 'Read what your clicks earned',
  description: `Returns leads, clients, conversions, amounts and deliveries, grouped by what you ask for. A dimension that you do not ask for, or that clicks do not say, is \`null\`. A conversion and its deliveries count on the day of the conversion. At most ${rowsMax.toLocaleString('en-US')} rows. Tests are not counted.`,
  input,
  headers: nothing,
  replies: {
    200: {
      description: 'One entry for each group with data.',
      body: z.array(metrics),
      example: [
        {
          timeZone: 'America/Argentina/Buenos_Aires',
          day: null,
          page: null,
          platform: 'google',
          source: null,
          medium: null,
          campaign: 'summer',
          term: null,
          content: null,
          leads: 412,
          clients: 57,
          conversions: 31,
          amounts: { USD: 4646.9 },
          refunded: { USD: 149.9 },
          deliveries: { google: { delivered: 30, pending: 1 } },
        },
      ],
    },
  },
  async handle({ input: { by = standardDimensions, ...asked }, response }, { reading }) {
    const mode = modeOf(response);
    const { accountId, isTest } = mode;
    const { timeZone: zone, range } = await completedDays(reading, { ...mode, ...asked, daysMax: 400 });
    const rows = isTest ? [] : await readAccountMetrics(reading, { accountId, ...range, by, limit: rowsMax + 1 });
    if (rows.length > rowsMax) {
      throw new Refusal('invalid-fields', { message: `by: more than ${rowsMax} rows; ask for fewer days or groups` });
    }
    const body = rows.map(({ values, ...dimensions }) => ({
      timeZone: zone,
      ...dimensions,
      leads: values['leads'] ?? 0,
      clients: values['clients'] ?? 0,
      conversions: values['conversions'] ?? 0,
      amounts: named(currencies, values, 'amount'),
      refunded: named(currencies, values, 'refunded'),
      deliveries: deliveriesIn(values),
    }));
    return { status: 200, body };
  },
});
