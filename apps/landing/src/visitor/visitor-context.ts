import {
  decrypt,
  keysFor,
  encrypt,
  type Keys,
  type SecretsKeys,
  type ReceiptKey,
  leadProofKeys,
  leadReferenceKeys,
} from '@leadback/domain/keys';
import { z } from 'zod';
import { networkOf, networksOf, tokenBuckets } from '@leadback/server/http';
import type { Request } from 'express';
import { type AskedErasure, readErasure, readReceiptKeys, verifyReceipt } from '@leadback/core/erasure/ask/receipt';
import { askErasure, erasureKeys, networkHash } from '@leadback/core/erasure/ask/ask-erasure';
import { type Pool, type Database, openContacts } from '@leadback/db';
import type { AccountId } from '@leadback/domain';
import { type LeadToShow, readVisitorLeads, type StoredLead, withdrawConsent } from '@leadback/core/leads/visitor';
import type { DatabaseClock } from '../leads/database-watch.ts';
import type { PageCache } from '../pages/pages.ts';

const belongsTo = 'visitor page';
const validMs = 30 * 60_000;

const handleSchema = z.object({
  reference: z.string(),
  accountId: z.int(),
  /** Of the erasure that is asked for with this handle: the same form sent again asks for the same one. */
  erasureId: z.string(),
  untilMs: z.number(),
});

/** What a form of the visitor's page says of its lead. */
export type LeadHandle = Readonly<Omit<z.output<typeof handleSchema>, 'untilMs'>>;

export const leadHandleKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, belongsTo);

/** Names a lead in a form, for half an hour. A form with it proves that its sender was shown the lead. */
export const encryptHandle = (keys: Keys, handle: LeadHandle, nowMs: number): string =>
  encrypt(keys, belongsTo, { ...handle, untilMs: nowMs + validMs }).toString('base64url');

/** Returns undefined for anything but a handle of the last half hour. */
export const decryptHandle = (keys: Keys, encrypted: string, nowMs: number): LeadHandle | undefined => {
  try {
    const { untilMs, ...handle } = handleSchema.parse(decrypt(keys, belongsTo, Buffer.from(encrypted, 'base64url')));
    return nowMs <= untilMs ? handle : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a request for a visitor's page may read the database. `ownReference`: of a lead that its browser has proven. */
type AdmitVisitor = (request: Request, ownReference: string | undefined) => boolean;

// about 300 bytes each
const bucketsMax = 20_000;
// many phones may share one address of their carrier
const defaultSize = { perSecond: 0.5, burst: 30 };

// as often as twenty networks without cookies: more than the people of one carrier ask, and less than a database bears
const browsersPerNetwork = 20;

/**
 * Limits how often one network may look up leads, on this instance. A browser that proves to have left a lead is limited by
 * itself, so that nobody else of its network keeps it from its data, unless it has many clicks to do that with.
 */
export const visitorLimiter = (size = defaultSize): AdmitVisitor => {
  const [ofNetwork, ofBrowsers, ofLead] = [
    tokenBuckets(bucketsMax),
    tokenBuckets(bucketsMax),
    tokenBuckets(bucketsMax),
  ];
  const all = { perSecond: size.perSecond * browsersPerNetwork, burst: size.burst * browsersPerNetwork };
  return (request, ownReference) => {
    const network = networkOf(request.ip ?? '');
    if (ownReference === undefined) return ofNetwork(network, size).tryRemoveTokens(1);
    return ofLead(ownReference, size).tryRemoveTokens(1) && ofBrowsers(network, all).tryRemoveTokens(1);
  };
};

/** The network whose share an erasure takes: the widest that one customer of a provider may have. */
const askingNetwork = (request: Request): string => networksOf(request.ip ?? '').at(-1) ?? '';

/** Whether a browser that proves to have left a lead may ask for its erasure. */
type AdmitErasure = (request: Request) => boolean;

/**
 * Limits how often browsers of one network may ask for erasures, on this instance: one who makes many clicks has many proofs.
 * Views and lookups take nothing of it.
 */
export const erasureLimiter = (size = defaultSize): AdmitErasure => {
  const ofNetwork = tokenBuckets(bucketsMax);
  return (request) => ofNetwork(askingNetwork(request), size).tryRemoveTokens(1);
};

/** Whether somebody who only knows a lead reference may withdraw the consent of a lead of this account. */
type AdmitWithdrawal = (request: Request, accountId: AccountId) => boolean;

const fewSize = { perSecond: 1 / 3_600, burst: 20 };

/**
 * Limits how often one network may withdraw consent in an account without the cookie, on this instance: a person has few
 * clicks, and one who collects the references of others withdraws for good.
 */
export const withdrawalLimiter = (size = fewSize): AdmitWithdrawal => {
  const ofAccount = tokenBuckets(bucketsMax);
  return (request, accountId) => ofAccount(`${accountId} ${askingNetwork(request)}`, size).tryRemoveTokens(1);
};

/** An erasure, and whether the signature of its receipt is right; null: there is no receipt yet. */
export interface ShownErasure extends AskedErasure {
  readonly isSigned: boolean | null;
}

interface ReceiptReader {
  keys(): Promise<readonly ReceiptKey[]>;
  find(id: string): Promise<ShownErasure | undefined>;
}

const shape = /^[0-9A-Za-z]{22}$/;

const receiptReader = (pool: Pool): ReceiptReader => ({
  keys: () => readReceiptKeys(pool),
  async find(id) {
    const erasure = shape.test(id) ? await readErasure(pool, id) : undefined;
    if (erasure === undefined) return undefined;
    const { receipt, signature, keyId } = erasure;
    if (receipt === null || signature === null || keyId === null) return { ...erasure, isSigned: null };
    const keys = await readReceiptKeys(pool);
    return { ...erasure, isSigned: verifyReceipt(keys, { receipt, signature, keyId }) === 'genuine' };
  },
});

/** What a visitor asks to erase: without a proof, the account decides. */
interface VisitorErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly lead: LeadToShow;
  readonly request: Request;
}

/** What the pages need on which visitors see and erase their data. */
export interface VisitorContext {
  readonly readLeads: (leads: readonly LeadToShow[]) => Promise<StoredLead[]>;
  readonly withdrawConsent: (reference: string) => Promise<void>;
  /** Returns the id of the receipt. Throws `TooManyErasures`. */
  readonly askErasure: (erasure: VisitorErasure) => Promise<string>;
  readonly receipts: ReceiptReader;
  readonly admitVisitor: AdmitVisitor;
  readonly admitErasure: AdmitErasure;
  readonly admitWithdrawal: AdmitWithdrawal;
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
    askErasure: ({ id, accountId, lead: { reference, proof }, request }) =>
      askErasure(pool, keys, {
        id,
        accountId,
        askedBy: 'visitor',
        actor: 'visitor',
        subject: { leadReference: reference, proof },
        network: networkHash(keys, askingNetwork(request)),
      }),
    receipts: receiptReader(pool),
    admitVisitor: visitorLimiter(),
    admitErasure: erasureLimiter(),
    admitWithdrawal: withdrawalLimiter(),
    pageById: byId,
    referenceKeys: leadReferenceKeys(secretsKeys),
    proofKeys: leadProofKeys(secretsKeys),
    handleKeys: leadHandleKeys(secretsKeys),
    nowMs,
  };
};
