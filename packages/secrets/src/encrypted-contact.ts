import { z } from 'zod';
import type { AccountKeys } from './account-keys.ts';
import { decrypt, encrypt } from './encrypt.ts';

const entered = z.string().optional();
const contactSchema = z.object({ name: entered, email: entered, phone: entered, ipAddress: entered });

/** What is encrypted of a person. */
export type ContactData = Readonly<z.infer<typeof contactSchema>>;

/** The row that contact data belongs to: it is authenticated with them, and known before the row is inserted. */
export type ContactOwner = `account ${number} ${string}`;

export const contactOfLead = (accountId: number, leadReference: string): ContactOwner =>
  `account ${accountId} lead ${leadReference}`;

export const contactOfClient = (accountId: number, leadReference: string): ContactOwner =>
  `account ${accountId} client of lead ${leadReference}`;

export const contactOfReconciliationRow = (accountId: number, reconciliationId: number, number: number): ContactOwner =>
  `account ${accountId} row ${number} of reconciliation ${reconciliationId}`;

type Entered = { readonly [Name in keyof ContactData]?: string | null | undefined };

/** Returns undefined if there is nothing to encrypt. */
export const encryptContact = (keys: AccountKeys, owner: ContactOwner, contact: Entered): Buffer | undefined => {
  const entries = Object.entries(contact).filter(([, value]) => value != null);
  return entries.length === 0 ? undefined : encrypt([keys.contact], owner, Object.fromEntries(entries));
};

/** Throws if the keys are those of another account, the row is a different one, or a bit was changed. */
export const decryptContact = (keys: AccountKeys, owner: ContactOwner, encrypted: Uint8Array): ContactData =>
  contactSchema.parse(decrypt([keys.contact], owner, Buffer.from(encrypted)));
