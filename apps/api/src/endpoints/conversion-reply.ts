import { currencies, feedbackStates, platformNames } from '@leadback/domain';
import { z } from 'zod';
import type { ConversionRecord } from '../use-cases/read-conversion.ts';

const time = z.iso.datetime();

const feedback = z.object({
  platform: z.enum(platformNames),
  state: z.enum(feedbackStates).meta({
    description:
      '`pending`: not there yet. `delivered`: the platform has taken it. `failed`: the platform has refused it for good, or could not be reached for three days. `skipped`: there was nothing to send, see `reason`.',
  }),
  reason: z.string().nullable().meta({ description: 'Why it is so, where there is something to tell.' }),
  attempts: z.int(),
  nextAttemptAt: time.nullable().meta({
    description: 'Not before this moment; `null` where none is to come, or the connection first has to be mended.',
  }),
  closedAt: time.nullable().meta({ description: 'When it was delivered, failed or skipped.' }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'What the platform reported later about the request that it went with.' }),
});

const conversionBody = z
  .object({
    id: z.int(),
    clientId: z.int(),
    leadId: z.int(),
    amount: z.number(),
    currency: z.enum(currencies),
    conversionExternalReference: z.string().nullable(),
    eventId: z.string().meta({ description: 'The id under which the platforms get it.' }),
    occurredAt: time,
    isTest: z.boolean().meta({ description: 'Registered with a test key.' }),
    createdAt: time,
    feedback: z.array(feedback).meta({ description: 'One report for each platform connection of your account.' }),
  })
  .meta({ id: 'Conversion' });

const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

type Feedback = ConversionRecord['feedback'][number];

const connectionReasons: Record<Feedback['connectionState'], string | null> = {
  active: null,
  paused: 'the connection is paused',
  needs_attention: 'the connection needs attention',
};

/** Why a report waits that is itself in order: its connection does. */
const reasonOf = ({ state, reason, connectionState, connectionReason }: Feedback) => {
  const waitsFor = state === 'pending' ? connectionReasons[connectionState] : null;
  return waitsFor === null ? reason : [waitsFor, connectionReason].filter((part) => part !== null).join(': ');
};

/** A conversion as a partner sees it. */
export const conversionView = (conversion: ConversionRecord): z.infer<typeof conversionBody> => {
  const { externalReference, amount, occurredAt, createdAt, feedback: reports, ...same } = conversion;
  return {
    ...same,
    amount: Number(amount),
    conversionExternalReference: externalReference,
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    feedback: reports.map((report) => ({
      platform: report.platform,
      state: report.state,
      reason: reasonOf(report),
      attempts: report.attempts,
      nextAttemptAt: isoOrNull(report.nextAttemptAt),
      closedAt: isoOrNull(report.closedAt),
      note: report.note,
    })),
  };
};

/** The reply of every endpoint that gives a conversion. */
export const conversionReply = {
  description: 'The conversion, and how its report to each platform stands.',
  body: conversionBody,
  example: {
    id: 31,
    clientId: 7,
    leadId: 12,
    amount: 149.9,
    currency: 'USD',
    conversionExternalReference: 'order-8731',
    eventId: 'order-8731',
    occurredAt: '2026-11-21T12:00:00.000Z',
    isTest: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    feedback: [
      {
        platform: 'meta',
        state: 'delivered',
        reason: null,
        attempts: 1,
        nextAttemptAt: null,
        closedAt: '2026-11-21T12:00:00.420Z',
        note: null,
      },
      {
        platform: 'google',
        state: 'pending',
        reason: 'HTTP 503',
        attempts: 1,
        nextAttemptAt: '2026-11-21T12:00:17.000Z',
        closedAt: null,
        note: null,
      },
    ],
  },
} as const;
