import { z } from 'zod';
import { secretText } from '../secret-text.ts';
import { serviceAccountKeySchema } from './service-account-key.ts';

const refreshTokenSchema = z.object({
  clientId: secretText('expected the OAuth client id, which ends in .apps.googleusercontent.com'),
  clientSecret: secretText('expected the secret of the OAuth client'),
  refreshToken: secretText('expected a refresh token with the scope https://www.googleapis.com/auth/datamanager'),
});
const serviceAccountSchema = z.object({ serviceAccount: serviceAccountKeySchema });

export type GoogleRefreshToken = z.infer<typeof refreshTokenSchema>;
export type GoogleServiceAccount = z.infer<typeof serviceAccountSchema>;

/** A refresh token with its OAuth client, or a service account key. */
export type GoogleCredentials = GoogleRefreshToken | GoogleServiceAccount;

// not z.union: its single issue would not name the missing field
export const googleCredentialsSchema = z.looseObject({}).transform((given, context): GoogleCredentials => {
  const read = ('serviceAccount' in given ? serviceAccountSchema : refreshTokenSchema).safeParse(given);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});
