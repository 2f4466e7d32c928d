import { z } from 'zod';

/** The form that exchanges a refresh token for an access token (RFC 6749, section 6). */
export const refreshTokenRequestSchema = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
});
