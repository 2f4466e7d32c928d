import type { Account } from '@leadback/db';
import { gpcReadings, requiredText } from '@leadback/domain';
import { z } from 'zod';

/** What an account may be given when it is created and when it is changed. */
export const accountOptions = [
  ['--name <name>', 'what the account is called'],
  ['--country <code>', 'whose national phone numbers its clients write (ISO 3166-1), default AR'],
  ['--rate-limit <n>', 'requests a second that one key may make, default 200'],
  [
    '--gpc <reading>',
    'how Global Privacy Control of a browser is read. respect (default): as an opt-out of sale and sharing, as the CCPA/CPRA regulations read it: Google is not told, Meta and TikTok are told with limited use. measure: for accounts whose legal basis covers measurement: Google is told with personalisation denied, Meta and TikTok with limited use',
  ],
] as const;

const ratesAllowed = 'expected a whole number from 1 to 1000000';

/** The options as they are typed. Without defaults: a change must not bring back one of a setting that was not typed. */
export const accountSchema = z.object({
  name: requiredText(200),
  country: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'expected two letters, such as AR')
    .optional(),
  rateLimit: z.coerce
    .number(ratesAllowed)
    .refine((rate) => Number.isInteger(rate) && rate >= 1 && rate <= 1_000_000, ratesAllowed)
    .optional(),
  gpc: z.enum(gpcReadings, `expected ${gpcReadings.join(' or ')}`).optional(),
});

/** What is printed of an account. */
export const accountRow = ({ id, name, status, gpcReading, country, rateLimit, createdAt }: Account) => ({
  id,
  name,
  status,
  gpc: gpcReading,
  country,
  rateLimit,
  createdAt,
});
