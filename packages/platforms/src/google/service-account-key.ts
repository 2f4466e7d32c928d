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
  type: z.literal('service_account', 'its "type" is another'),
  client_email: z.email('its "client_email" is missing'),
  private_key: z.string('its "private_key" is missing').refine(isRsaKey, 'its "private_key" is no RSA key in PEM'),
  private_key_id: z.string('its "private_key_id" is no text').min(1).optional(),
  project_id: z.string('its "project_id" is no text').min(1).optional(),
});

/**
 * The key of a service account, as Google's console saves it. What is not needed of it is left out, and so is its
 * `token_uri`: a file should not decide where requests go.
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
