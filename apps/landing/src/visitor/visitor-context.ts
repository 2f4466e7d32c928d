import { type Database, openContacts } from '@leadback/db';
import { askErasure, erasureKeys, type ErasureToAsk } from '@leadback/erasure/ask';
import { readVisitorLeads, type StoredLead, withdrawConsent } from '@leadback/intake';
import { type Keys, leadReferenceKeys, type SecretsKeys } from '@leadback/secrets';
import type { DatabaseClock } from '../leads/database-clock.ts';
import type { PageCache } from '../pages/page-cache.ts';
import { leadHandleKeys } from './lead-handle.ts';
import { type AdmitVisitor, visitorLimiter } from './limit-visitors.ts';
import { type ReceiptReader, receiptReader } from './receipts.ts';

/** What the pages need on which visitors see and erase their data. */
export interface VisitorContext {
  readonly readLeads: (references: readonly string[]) => Promise<StoredLead[]>;
  readonly withdrawConsent: (reference: string) => Promise<void>;
  /** Returns the id of the receipt. */
  readonly askErasure: (erasure: ErasureToAsk) => Promise<string>;
  readonly receipts: ReceiptReader;
  readonly admitVisitor: AdmitVisitor;
  /** In memory: for leads that are not recorded yet. */
  readonly pageById: PageCache['byId'];
  /** Recognize lead references. */
  readonly referenceKeys: Keys;
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
    readLeads: (references) => readVisitorLeads(pool, references, contacts),
    withdrawConsent: (reference) => withdrawConsent(pool, reference),
    askErasure: (erasure) => askErasure(pool, keys, erasure),
    receipts: receiptReader(pool),
    admitVisitor: visitorLimiter(),
    pageById: byId,
    referenceKeys: leadReferenceKeys(secretsKeys),
    handleKeys: leadHandleKeys(secretsKeys),
    nowMs,
  };
};
