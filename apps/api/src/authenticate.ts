import { DomainError } from '@leadback/domain';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { FindKey } from './use-cases/find-key.ts';

const callerSchema = z.object({ accountId: z.number(), keyId: z.number(), isTest: z.boolean() });

/** Whose request this is. For handlers behind `authenticate`. */
export const callerOf = (response: Response): z.infer<typeof callerSchema> =>
  callerSchema.parse(response.locals.caller);

/** Lets a request pass that carries the key of an active account in `x-api-key`. Unknown and revoked keys read alike. */
export const authenticate =
  (findKey: FindKey): RequestHandler =>
  async (request, response, next) => {
    const sent = request.get('x-api-key')?.trim();
    if (!sent) throw new DomainError('key-missing', 'x-api-key: the header is missing');
    const key = await findKey(sent);
    if (!key) throw new DomainError('key-unknown', 'x-api-key: not a valid key');
    if (key.isExpired) throw new DomainError('key-expired', 'x-api-key: the key has expired; ask for a new one');
    if (key.accountStatus !== 'active') throw new DomainError('account-suspended', 'the account is suspended');
    response.locals.caller = { accountId: key.accountId, keyId: key.id, isTest: key.isTest };
    next();
  };
