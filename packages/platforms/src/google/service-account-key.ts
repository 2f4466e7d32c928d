import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

const expected =
  'expected the key of a service account: the JSON file that the Google Cloud console saves for it (IAM, Service accounts, Keys, JSON), with "type": "service_account"';

const isRsaKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
};

const fieldsSchema = z.object({
  type: z.literal('service_account', 'its "type" is not "service_account"'),
  client_email: z.email('its "client_email" is missing'),
  private_key: z
    .string('its "private_key" is missing')
    .refine(isRsaKey, 'its "private_key" is no RSA key in PEM format'),
  private_key_id: z.string('its "private_key_id" is not a string').min(1).optional(),
  project_id: z.string('its "project_id" is not a string').min(1).optional(),
});

/**
 * A service account key as Google's console saves it. Unused fields are dropped, among them `token_uri`: a file must
 * not decide where requests are sent.
 */
export const serviceAccountKeySchema = z.unknown().transform((given, context): z.infer<typeof fieldsSchema> => {
  const read = fieldsSchema.safeParse(given);
  if (read.success) return read.data;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const faults = isObject ? `; ${read.error.issues.map(({ message }) => message).join(', ')}` : '';
  context.addIssue({ code: 'custom', message: expected + faults });
  return z.NEVER;
});
export type ServiceAccountKey = z.infer<typeof serviceAccountKeySchema>;
