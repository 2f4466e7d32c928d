import { z } from 'zod';

const account = 'expected ten digits, as Google Ads shows them (123-456-7890)';
const action = 'expected the digits of the conversion action, which its URL in Google Ads shows as ctId';

const customerId = z
  .string({ error: account })
  .transform((written) => written.replace(/[\s-]/g, ''))
  .refine((id) => /^\d{10}$/.test(id), account);

export const googleSettingsSchema = z.object({
  /** The account that owns the conversion action. */
  customerId,
  conversionActionId: z.string({ error: action }).trim().regex(/^\d+$/, action),
  /** The manager account through which the credentials have access. */
  loginCustomerId: customerId.optional(),
});
export type GoogleSettings = z.infer<typeof googleSettingsSchema>;
