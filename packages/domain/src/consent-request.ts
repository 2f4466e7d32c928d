import { createHash } from 'node:crypto';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { deriveKeys, type Keys } from './secrets-keys.ts';
import { consentScopes } from './sharing.ts';

const hashLength = 22;
const signatureLength = 22;
const signatureShape = new RegExp(`^[0-9A-Za-z]{${signatureLength}}$`);

/** What a landing page asks visitors to agree to, as its form says it. */
export const askedScopes = ['nothing', ...consentScopes] as const;
export type AskedScope = (typeof askedScopes)[number];

/** What a landing page asked its visitor. */
export interface ConsentRequest {
  readonly pageId: number;
  readonly scope: AskedScope;
  /** From `hashConsentText`. */
  readonly textHash: string;
}

/** 22 characters of `[0-9A-Za-z_-]` that stand for the consent text of a page; null: the page has none. */
export const hashConsentText = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('base64url')
    .slice(0, hashLength);

/** The keys that sign consent requests. */
export const consentRequestKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, 'consent request');

const signedText = ({ pageId, scope, textHash }: ConsentRequest, token: string) =>
  JSON.stringify([pageId, scope, textHash, token]);

/** 22 characters of `[0-9A-Za-z]` that prove that we asked this in the form with this token. */
export const signConsentRequest = (keys: Keys, request: ConsentRequest, token: string): string =>
  keyedCheck(keys, signedText(request, token), signatureLength);

export const isSignedConsentRequest = (
  keys: Keys,
  request: ConsentRequest,
  { token, signature }: { readonly token: string; readonly signature: string },
): boolean => signatureShape.test(signature) && isKeyedCheck(keys, signedText(request, token), signature);
