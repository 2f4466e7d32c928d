import { randomBytes } from 'node:crypto';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { answerWithError } from '../play-behaviour.ts';
import { isRevoked } from '../revoked.ts';

const lifeSeconds = 3600;

const requestSchema = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
});

const refuse = (error: string, description: string, status = 400) => ({
  status,
  body: { error, error_description: description },
});

const issueToken: RequestHandler = (request, response) => {
  const { data } = requestSchema.safeParse(request.body);
  if (!data) return answerWithError(response, refuse('invalid_request', 'Missing or unknown parameter.'));
  if (isRevoked(data.client_secret)) {
    return answerWithError(response, refuse('invalid_client', 'The OAuth client was not found.', 401));
  }
  if (isRevoked(data.refresh_token)) {
    return answerWithError(response, refuse('invalid_grant', 'Token has been expired or revoked.'));
  }
  response.json({
    access_token: `ya29.${randomBytes(24).toString('base64url')}`,
    expires_in: lifeSeconds,
    scope: 'https://www.googleapis.com/auth/datamanager',
    token_type: 'Bearer',
  });
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, refuse('invalid_request', 'The body cannot be read.'));
};

/** `POST /token`: an access token for a refresh token, as of oauth2.googleapis.com. */
export const tokenRouter = (): Router =>
  Router().post('/token', express.urlencoded({ extended: false }), issueToken).use('/token', unreadable);
