import { currencySchema } from '@leadback/domain';
import { z } from 'zod';

/** The id of an account in a path. It only names: what the person may see is decided on the server. */
export const accountId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** An amount of one currency, a decimal such as `31220.00`. Amounts of different currencies are never added. */
export const money = z.object({ currency: currencySchema, amount: z.string() });
export type Money = z.output<typeof money>;

declare const isShown: unique symbol;

/** A partner's reference as its reader may see it: only `personalData` makes one, so that no view sends a plain text. */
export type ShownReference = string & { readonly [isShown]: true };

export const shownReference = z.custom<ShownReference>((value) => typeof value === 'string');
