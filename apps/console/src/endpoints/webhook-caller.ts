import { Refusal } from '@leadback/domain';
import type { WebhookCaller, WebhookRecord, Webhooks } from '@leadback/intake';
import type { Response } from 'express';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';

type Finder = Pick<Webhooks, 'find'>;

/** A webhook of the account of the path. Throws `not-found.webhook`. */
export const findWebhook = async ({ find }: Finder, response: Response, id: number): Promise<WebhookRecord> => {
  const found = await find(scopeOf(response).accountId, id);
  if (!found) throw new Refusal('not-found.webhook');
  return found;
};

/** The person who is signed in, to act on a webhook in its mode. Throws `not-found.webhook`. */
export const callerFor = async (webhooks: Finder, response: Response, id: number): Promise<WebhookCaller> => {
  const { isTest } = await findWebhook(webhooks, response, id);
  return { accountId: scopeOf(response).accountId, isTest, actor: sessionOf(response).person.email };
};
