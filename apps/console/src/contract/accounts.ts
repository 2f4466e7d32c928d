import {
  accountSettingsSchema,
  accountStatuses,
  attributions,
  currencySchema,
  erasedPersonsChoices,
  gpcReadings,
} from '@leadback/domain';
import { z } from 'zod';
import { money } from './values.ts';

export const listedAccountsMax = 500;

export const account = z.object({
  id: z.number(),
  name: z.string(),
  status: z.enum(accountStatuses),
  /** Suspended, and nobody sees its landing pages. */
  hidesPages: z.boolean(),
  /** ISO 3166-1 alpha-2: the country of phone numbers in national format. */
  country: z.string(),
  /** Requests per second of each key. */
  rateLimit: z.number(),
  /** How Global Privacy Control of a browser is read. */
  gpc: z.enum(gpcReadings),
  /** Whether persons who were erased may be registered again. */
  erased: z.enum(erasedPersonsChoices),
  /** Which of the clicks before a sale counts. */
  attribution: z.enum(attributions),
  /** What the event ids of conversions begin with; empty: nothing. */
  eventIdPrefix: z.string(),
  /** In which it may register sales; the first is shown first. */
  currencies: z.array(currencySchema),
  /** In which its days begin: an IANA name. */
  timeZone: z.string(),
  createdAt: z.string(),
});

/** `GET /api/accounts`: by name, the first 500. */
export const listAccountsInput = z.object({
  /** A part of the name. */
  find: z.string().max(200).optional(),
});
export const listAccountsReply = z.object({ items: z.array(account), isPartial: z.boolean() });

/** `GET /api/accounts/figures`: of the accounts that the list has, in another request, because it takes longer. */
export const accountFiguresReply = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      /** Of the last 30 days, after adjustments. */
      revenue: z.array(money),
      /** Whether there may be more. */
      isRevenuePartial: z.boolean(),
      /** Live deliveries that ended without success, and that somebody can change. */
      undelivered: z.number(),
      isUndeliveredPartial: z.boolean(),
      /** Connections that their platform rejects, and that are paused while deliveries wait. */
      rejected: z.number(),
      paused: z.number(),
      /** Whether there are sales that no connection took. */
      hasUntold: z.boolean(),
      isConnected: z.boolean(),
    }),
  ),
});

/** `POST /api/accounts` → the account, active. What is not given has a default. */
export const createAccountInput = accountSettingsSchema;

/** `POST /api/accounts/:account/settings` → the account. What is not given stays. */
export const changeAccountInput = accountSettingsSchema.partial();

/** `POST /api/accounts/:account/suspend` → the account. */
export const suspendAccountInput = z.object({
  /** In a case of abuse: its landing pages get a 404, too, until it is active again. */
  pages: z.boolean().default(false),
});

export type Account = z.output<typeof account>;
export type AccountFiguresReply = z.output<typeof accountFiguresReply>;
export type ListAccountsReply = z.output<typeof listAccountsReply>;
export type SuspendAccountInput = z.input<typeof suspendAccountInput>;
export type AccountSettingsInput = z.input<typeof createAccountInput>;
