import { z } from 'zod';

const account = 'expected ten digits, as Google Ads shows them (123-456-7890)';
const action = 'expected the digits of the conversion action, which its URL in Google Ads shows as ctId';

const customerId = z
  .string({ error: account })
  .transform((written) => written.replace(/[\s-]/g, ''))
  .refine((id) => /^\d{10}$/.test(id), account);

const conversionActionId = z.string({ error: action }).trim().regex(/^\d+$/, action);

export const googleSettingsSchema = z.object({
  customerId: customerId.meta({
    label: 'Customer id',
    help: 'the Ads account that owns the conversion action',
    value: 'id',
  }),
  conversionActionId: conversionActionId.meta({
    label: 'Conversion action id',
    help: 'the conversion action, of type "Import from clicks"; Google Ads shows its id (ctId) in the URL',
    value: 'id',
  }),
  leadConversionActionId: conversionActionId.optional().meta({
    label: 'Lead conversion action id',
    help: 'another conversion action of that type, for Lead events (see `--events`)',
    value: 'id',
  }),
  loginCustomerId: customerId
    .optional()
    .meta({ label: 'Login customer id', help: 'the manager account through which access exists', value: 'id' }),
});
export type GoogleSettings = z.infer<typeof googleSettingsSchema>;
