import { adjustmentKinds, requiredText, sharings } from '@leadback/domain';
import { z } from 'zod';
import { delivery } from './deliveries.ts';
import { money, rowId, shownReference } from './values.ts';

/** `POST /api/accounts/:account/find`: the text may be an email, so it is in no URL. Changes nothing. */
export const findInput = z.object({ text: requiredText(320) });

const match = z.object({
  /** By which of its names: order, event and adjustment are ids of the partner, conversion is ours. */
  foundBy: z.enum(['order', 'event', 'adjustment', 'conversion', 'reference', 'email', 'lead', 'lead-email']),
  leadId: z.number(),
  /** Null: the lead was found. */
  clientId: z.number().nullable(),
  conversionId: z.number().nullable(),
  /** This and the next are masked for roles that may not see personal data. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  clientReference: shownReference.nullable(),
  leadReference: z.string(),
  page: z.string(),
  isTest: z.boolean(),
  conversionReference: shownReference.nullable(),
  amount: money.nullable(),
  at: z.string(),
});

export const findReply = z.object({
  /** At most 20. */
  matches: z.array(match),
  hasMore: z.boolean(),
});

/** `GET /api/accounts/:account/story?client=…`, or `?lead=…`, or `?conversion=…`: of this conversion's client. */
export const storyInput = z
  .object({ lead: rowId.optional(), client: rowId.optional(), conversion: rowId.optional() })
  .refine(
    ({ lead, client, conversion }) => [lead, client, conversion].filter((one) => one !== undefined).length === 1,
    {
      path: ['client'],
      error: 'expected one of lead, client and conversion',
    },
  );

const deliveries = z.array(delivery);

const click = z.object({ name: z.string(), value: z.string(), clickedAt: z.string().nullable() });

const storyLead = z.object({
  id: z.number(),
  reference: z.string(),
  /** The slug of the landing page. */
  page: z.string(),
  /** `utm_source` and others. */
  campaign: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Click ids and cookies of pixels; `clickedAt` if it was on an earlier visit. Masked, as name, email and phone. */
  clicks: z.array(click),
  /** The host that the visitor came from. */
  referrer: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** What platforms may be told. */
  sharing: z.enum(sharings),
  createdAt: z.string(),
  isTest: z.boolean(),
});

const storyConversion = z.object({
  id: z.number(),
  /** The click that counts: one of its client. */
  leadId: z.number(),
  externalReference: shownReference.nullable(),
  eventName: z.string().nullable(),
  /** As it was registered. */
  amount: money,
  /** After its adjustments. */
  total: money,
  occurredAt: z.string(),
  createdAt: z.string(),
  isTest: z.boolean(),
  deliveries,
  /** Oldest first. */
  adjustments: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(adjustmentKinds),
      externalReference: shownReference.nullable(),
      /** The new total. */
      amount: money,
      occurredAt: z.string(),
      deliveries,
    }),
  ),
});

const storyClient = z.object({
  id: z.number(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  externalReference: shownReference.nullable(),
  isTest: z.boolean(),
  createdAt: z.string(),
  /** All of the client, oldest first. */
  clicks: z.array(
    z.object({
      leadId: z.number(),
      clickedAt: z.string(),
      /** The slug of the landing page. */
      page: z.string(),
      campaign: z.string().nullable(),
    }),
  ),
  /** Of the client's registration as a lead. */
  deliveries,
  /** The newest 20, oldest first. */
  conversions: z.array(storyConversion),
  hasMoreConversions: z.boolean(),
});

export const storyReply = z.object({
  /** Whether personal data are masked for this role. */
  isMasked: z.boolean(),
  lead: storyLead,
  /** Newest first. */
  clients: z.array(storyClient),
  /** How many more clients the lead has, up to 1,000. */
  otherClients: z.number(),
});

export type FindReply = z.output<typeof findReply>;
export type Match = FindReply['matches'][number];
export type StoryReply = z.output<typeof storyReply>;
export type StoryLead = z.output<typeof storyLead>;
export type StoryClient = z.output<typeof storyClient>;
export type StoryConversion = z.output<typeof storyConversion>;
