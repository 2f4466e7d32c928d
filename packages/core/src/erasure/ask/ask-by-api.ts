import { type AccountMode, emailAddressSchema, erasuresPerKeyAndDay, optionalText, Refusal } from '@leadback/domain';
import { type Pool, statement, type Queryable } from '@leadback/db';
import { askErasure } from './ask-erasure.ts';
import { confirmErasure } from './asked-erasures.ts';
import type { Keys } from '@leadback/domain/keys';
import { z } from 'zod';
import { onceEach } from '../../once.ts';

/** Whom to erase, as callers name the person. */
export const erasureSchema = z
  .object(
    {
      clientExternalReference: optionalText(255).meta({ description: 'The `externalReference` of the client.' }),
      email: emailAddressSchema.meta({
        description: 'Everyone with this email, including visitors who only entered it on a landing page.',
      }),
      leadReference: optionalText(64).meta({ description: 'The lead, and all clients that were registered from it.' }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((names) => Object.values(names).filter((name) => name !== undefined).length === 1, {
    path: ['email'],
    message: 'expected exactly one of email, clientExternalReference and leadReference',
  });

export type ErasureInput = Partial<Readonly<z.infer<typeof erasureSchema>>>;

export interface ErasureCaller extends AccountMode {
  /** For the audit log. */
  readonly actor: string;
}

type NewErasure = ErasureCaller & ErasureInput;

/** Asks for an erasure. Returns its id. Throws as `onceEach`. */
export type ErasureAsker = (caller: ErasureCaller, input: ErasureInput, idempotencyKey?: string) => Promise<string>;

// also what visitors had asked for before, and the key has confirmed or asked for since
const isOverLimit = statement<{ is_over: boolean }>(
  `select count(*) >= $3 as is_over from (
     select from erasure
     where account_id = $1 and actor = $2 and decided_at > now() - interval '1 day' limit $3) asked`,
);

/** What a key confirms, of what visitors have asked for. */
export interface KeyConfirmation {
  readonly accountId: number;
  /** For the audit log. */
  readonly actor: string;
  /** Of the erasure. */
  readonly id: string;
}

/** Confirms an erasure with an API key. Returns whether it waited for that. Throws a `Refusal` if there are too many with this key. */
export const confirmWithKey = async (on: Queryable, confirmation: KeyConfirmation): Promise<boolean> => {
  const { accountId, actor } = confirmation;
  const [count] = await isOverLimit(on, [accountId, actor, erasuresPerKeyAndDay]);
  if (count?.is_over === true) throw new Refusal('rate-limited.erasures');
  return confirmErasure(on, { ...confirmation, by: 'partner' });
};

/** Returns a function that asks for the erasure of a person; of the clients of its mode alone, if that is test. */
export const erasureAsker = (pool: Pool, keys: Keys): ErasureAsker => {
  const ask = onceEach(pool, {
    route: ({ isTest }: NewErasure) => (isTest ? 'test erasure' : 'erasure'),
    fingerprinted: (erasure) => ({ ...erasure, actor: undefined, isTest: undefined }),
    needsTransaction: true,
    async run(on, asked) {
      const ids: { id: string | null }[] = [];
      for (const { accountId, isTest, actor, clientExternalReference, email, leadReference } of asked) {
        const [count] = await isOverLimit(on, [accountId, actor, erasuresPerKeyAndDay]);
        if (count?.is_over === true) {
          ids.push({ id: null });
          continue;
        }
        const subject = { email, externalReference: clientExternalReference, leadReference };
        ids.push({ id: await askErasure(on, keys, { accountId, isTest, askedBy: 'partner', actor, subject }) });
      }
      return ids;
    },
    // null: too many with this key
    schema: z.object({ id: z.string().nullable() }),
    isFinal: ({ id }) => id !== null,
    accept({ id }) {
      if (id === null) throw new Refusal('rate-limited.erasures');
      return id;
    },
  });
  return async (caller, input, idempotencyKey) => {
    const { result } = await ask({ item: { ...caller, ...input }, idempotencyKey });
    return result;
  };
};
