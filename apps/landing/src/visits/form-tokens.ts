import { randomUUID } from 'node:crypto';
import { type ConsentRequest, type Keys, signConsentRequest } from '@leadback/secrets';
import { inAdvance } from '../in-advance.ts';

const issuedAtOnce = 32;

/** Tells apart the forms that are shown, and proves which consent one of them asks for. */
export interface FormToken {
  readonly token: string;
  readonly signature: string;
}

/** Returns a function that issues tokens for forms with this request: that of a built page, the same object each time. */
export const formTokens = (keys: Keys): ((request: ConsentRequest) => FormToken) => {
  const issuers = new WeakMap<ConsentRequest, () => FormToken>();

  const issue = (request: ConsentRequest): FormToken => {
    const token = randomUUID();
    return { token, signature: signConsentRequest(keys, request, token) };
  };

  const issuerOf = (request: ConsentRequest): (() => FormToken) => {
    const issuer = inAdvance(issuedAtOnce, () => issue(request));
    issuers.set(request, issuer);
    return issuer;
  };

  return (request) => (issuers.get(request) ?? issuerOf(request))();
};
