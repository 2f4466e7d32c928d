import { type Database, openContacts } from '@leadback/db';
import { askErasure, erasureKeys, networkHash } from '@leadback/erasure/ask';
import type { AccountId } from '@leadback/domain';
import { type LeadToShow, readVisitorLeads, type StoredLead, withdrawConsent } from '@leadback/intake';
import { type Keys, leadProofKeys, leadReferenceKeys, type SecretsKeys } from '@leadback/secrets';
import type { DatabaseClock } from '../leads/database-clock.ts';
import type { PageCache } from '../pages/page-cache.ts';
import { leadHandleKeys } from './lead-handle.ts';
import { type AdmitVisitor, visitorLimiter } from './limit-visitors.ts';
import { type ReceiptReader, receiptReader } from './receipts.ts';

/** What a visitor asks to erase: without a proof, the account decides. */
export interface VisitorErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly lead: LeadToShow;
  readonly network: string;
}

/** What the pages need on which visitors see and erase their data. */
export interface VisitorContext {
  readonly readLeads: (leads: readonly LeadToShow[]) => Promise<StoredLead[]>;
  readonly withdrawConsent: (reference: string) => Promise<void>;
  /** Returns the id of the receipt. */
  readonly askErasure: (erasure: VisitorErasure) => Promise<string>;
  readonly receipts: ReceiptReader;
  readonly admitVisitor: AdmitVisitor;
  /** In memory: for leads that are not recorded yet. */
  readonly pageById: PageCache['byId'];
  /** Recognize lead references. */
  readonly referenceKeys: Keys;
  /** Recognize the cookies of browsers that have left a lead. */
  readonly proofKeys: Keys;
  /** Encrypt what names leads in forms. */
  readonly handleKeys: Keys;
  readonly nowMs: DatabaseClock['nowMs'];
}

export const visitorContext = (
  { pool }: Pick<Database, 'pool'>,
  secretsKeys: SecretsKeys,
  { byId }: Pick<PageCache, 'byId'>,
  { nowMs }: Pick<DatabaseClock, 'nowMs'>,
): VisitorContext => {
  const [keys, contacts] = [erasureKeys(secretsKeys), openContacts(secretsKeys)];
  return {
    readLeads: (leads) => readVisitorLeads(pool, leads, contacts),
    withdrawConsent: (reference) => withdrawConsent(pool, reference),
    askErasure: ({ id, accountId, lead: { reference, proof }, network }) =>
      askErasure(pool, keys, {
        id,
        accountId,
        askedBy: 'visitor',
        actor: 'visitor',
        subject: { leadReference: reference, proof },
        network: networkHash(keys, network),
      }),
    receipts: receiptReader(pool),
    admitVisitor: visitorLimiter(),
    pageById: byId,
    referenceKeys: leadReferenceKeys(secretsKeys),
    proofKeys: leadProofKeys(secretsKeys),
    handleKeys: leadHandleKeys(secretsKeys),
    nowMs,
  };
};
