import { z } from 'zod';
import { oauthClientFields } from '../oauth/client-fields.ts';
import { serviceAccountKeySchema } from './service-account-key.ts';

const refreshTokenSchema = z.object({
  ...oauthClientFields({
    clientId: {
      expected: 'expected the OAuth client id, which ends in .apps.googleusercontent.com',
      help: 'OAuth client of a Cloud project with the Data Manager API',
    },
    clientSecret: { expected: 'expected the secret of the OAuth client', help: 'secret of the OAuth client' },
    refreshToken: {
      expected: 'expected a refresh token with the scope https://www.googleapis.com/auth/datamanager',
      help: 'refresh token of the OAuth client, with the scope of the Data Manager API',
    },
  }),
});
const serviceAccountSchema = z.object({
  serviceAccount: serviceAccountKeySchema.meta({
    label: 'Service account key',
    help: 'key of a service account, as Google Cloud made it; instead of an OAuth client and its refresh token',
    value: 'file',
    isSecret: true,
    isFile: true,
  }),
});

export type GoogleRefreshToken = z.infer<typeof refreshTokenSchema>;
export type GoogleServiceAccount = z.infer<typeof serviceAccountSchema>;

/** A refresh token with its OAuth client, or a service account key. */
export type GoogleCredentials = GoogleRefreshToken | GoogleServiceAccount;

export const googleCredentialKinds = [serviceAccountSchema, refreshTokenSchema] as const;
