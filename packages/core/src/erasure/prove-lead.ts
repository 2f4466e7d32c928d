import type { AccountId } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { z } from 'zod';

const provenLeadSchema = z.object({ accountId: z.int(), leadReference: z.string() }).brand<'proven lead'>();

/** A lead whose browser asks for its erasure, with the proof that it has left it: only `proveLead` makes one. */
export type ProvenLead = Readonly<z.output<typeof provenLeadSchema>>;

export interface LeadToProve {
  readonly accountId: AccountId;
  readonly leadReference: string;
  readonly proof: string;
}

const read = preparedStatement<{ is_proven: boolean }>(
  'read-lead-to-prove',
  `select coalesce(proof_hash = sha256(convert_to($3, 'UTF8')), false) as is_proven
   from lead where reference between $2 and $2 and account_id + 0 = $1 limit 1`,
);

/**
 * The lead, if the proof is right; undefined otherwise. Of a lead that is not recorded yet there is nothing to compare with,
 * and nothing registered: landing, which still buffers it, has looked at the proof.
 */
export const proveLead = async (
  on: Queryable,
  { accountId, leadReference, proof }: LeadToProve,
): Promise<ProvenLead | undefined> => {
  const [lead] = await read(on, [accountId, leadReference, proof]);
  return lead?.is_proven === false ? undefined : provenLeadSchema.parse({ accountId, leadReference });
};
