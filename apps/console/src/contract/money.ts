import { currencySchema } from '@leadback/domain';
import { z } from 'zod';

/** An amount of one currency, a decimal such as `31220.00`. Amounts of different currencies are never added. */
export const money = z.object({ currency: currencySchema, amount: z.string() });
export type Money = z.output<typeof money>;
