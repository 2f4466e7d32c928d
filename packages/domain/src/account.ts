import { z } from 'zod';
import { gpcReadings } from './contact.ts';
import { currencyListSchema, eventIdPrefixSchema, requiredText, timeZoneSchema } from './fields.ts';

export type AccountId = number;

/** Live and test data of an account are isolated from each other. */
export interface AccountMode {
  readonly accountId: AccountId;
  readonly isTest: boolean;
}

export const accountStatuses = ['active', 'suspended'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** Whether an account registers a person with the email or phone number of an erased one. */
export const erasedPersonsChoices = ['allow', 'suppress'] as const;
export type ErasedPersons = (typeof erasedPersonsChoices)[number];

const ratesAllowed = 'expected a whole number from 1 to 1000000';

/** Which of the clicks before a sale counts: the newest, or the first. */
export const attributions = ['last', 'first'] as const;
export type Attribution = (typeof attributions)[number];

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
  /** Whether persons who were erased may be registered again. */
  erased: z.enum(erasedPersonsChoices, `expected ${erasedPersonsChoices.join(' or ')}`).optional(),
  attribution: z.enum(attributions, `expected ${attributions.join(' or ')}`).optional(),
  eventIdPrefix: eventIdPrefixSchema.optional(),
  /** In which it may register sales. */
  currencies: currencyListSchema.optional(),
  /** In which its days begin. */
  timeZone: timeZoneSchema.optional(),
});

export type AccountSettings = z.output<typeof accountSettingsSchema>;

/** What an API key may be allowed to do. */
export const keyScopes = ['read', 'register', 'erase'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const keyScopeSchema = z.enum(keyScopes);

/** At least one, each once, in this order. */
export const keyScopesSchema = z
  .array(keyScopeSchema)
  .min(1)
  .transform((given) => keyScopes.filter((scope) => given.includes(scope)));

/** `admin` and `operator` see all accounts, the others only those that they were invited to. */
export const roles = ['admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer'] as const;
export type Role = (typeof roles)[number];

/** Whether people of this role see all accounts. */
export const seesAllAccounts = (role: Role): boolean => role === 'admin' || role === 'operator';
