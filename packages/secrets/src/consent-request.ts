import { createHash } from 'node:crypto';
import { consentScopes } from '@leadback/domain';
import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const hashLength = 22;
const signatureLength = 22;
const signatureShape = new RegExp(`^[0-9A-Za-z]{${signatureLength}}$`);

/** What a landing page may ask visitors to agree to. */
export const askedScopes = ['nothing', ...consentScopes] as const;
export type AskedScope = (typeof askedScopes)[number];

export interface ConsentRequest {
  readonly pageId: number;
  readonly scope: AskedScope;
  /** From `hashConsentText`. */
  readonly textHash: string;
}

/** 22 characters of `[0-9A-Za-z_-]`. null: the page has no consent text. */
export const hashConsentText = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('base64url')
    .slice(0, hashLength);

export const consentRequestKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'consent request');

const signedText = ({ pageId, scope, textHash }: ConsentRequest, token: string) =>
  JSON.stringify([pageId, scope, textHash, token]);

/** 22 characters of `[0-9A-Za-z]` that prove that Leadback issued the form with this token and request. */
export const signConsentRequest = (keys: Keys, request: ConsentRequest, token: string): string =>
  keyedCheck(keys, signedText(request, token), signatureLength);

export const isSignedConsentRequest = (
  keys: Keys,
  request: ConsentRequest,
  { token, signature }: { readonly token: string; readonly signature: string },
): boolean => signatureShape.test(signature) && isKeyedCheck(keys, signedText(request, token), signature);
