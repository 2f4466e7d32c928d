import { z } from 'zod';
import { contactStorages } from './contact-storage.ts';
import { erasedPersonsChoices } from './erased-persons.ts';
import { gpcReadings } from './sharing.ts';
import { requiredText } from './text.ts';

const ratesAllowed = 'expected a whole number from 1 to 1000000';

/** Has no defaults: a change must not reset settings that were not given. */
export const accountSettingsSchema = z.object({
  name: requiredText(200),
  /** ISO 3166-1 alpha-2: the country of phone numbers in national format. */
  country: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'expected two letters, such as AR')
    .optional(),
  /** Requests per second of each key. */
  rateLimit: z.coerce
    .number(ratesAllowed)
    .refine((rate) => Number.isInteger(rate) && rate >= 1 && rate <= 1_000_000, ratesAllowed)
    .optional(),
  /** How Global Privacy Control of a browser is read. */
  gpc: z.enum(gpcReadings, `expected ${gpcReadings.join(' or ')}`).optional(),
  /** How contact data of new leads and clients is stored. */
  contacts: z.enum(contactStorages, `expected ${contactStorages.join(' or ')}`).optional(),
  /** Whether persons who were erased may be registered again. */
  erased: z.enum(erasedPersonsChoices, `expected ${erasedPersonsChoices.join(' or ')}`).optional(),
});

export type AccountSettings = z.output<typeof accountSettingsSchema>;
