import type { ServedPage } from '../pages/served-page.ts';
import {
  type AskedScope,
  askedScopes,
  type ConsentRequest,
  isSignedConsentRequest,
  type Keys,
} from '@leadback/secrets';
import type { NewLead } from '@leadback/domain';
import type { Exchange } from './exchange.ts';
import { isFromOwnPage } from './own-form.ts';

/** null: the page did not ask. */
export type Consent = Pick<NewLead, 'consent' | 'consentScope'>;

export const nothingAsked: Consent = { consent: null, consentScope: null };
const notConsented: Consent = { consent: false, consentScope: 'sharing' };

/** What a form claims that its page asked. It may be forged. */
export interface SentRequest extends Omit<ConsentRequest, 'pageId'> {
  readonly scope: AskedScope;
  readonly signature: string;
  readonly token: string;
}

/** Whether Leadback issued the form that makes this claim. */
export type Recognize = (sent: SentRequest) => boolean;

interface ConsentFields {
  readonly asked?: string | undefined;
  readonly consent?: string | undefined;
  /** `<hash of the consent text>.<signature>` */
  readonly proof?: string | undefined;
  readonly token: string | null;
}

/**
 * Reads the consent in a form, and the hash of the consent text that it refers to. An unrecognized form counts as not
 * consented, unless the page asks for nothing and the form does not claim that it asked when it was shown.
 */
export const readConsent = (
  { consentText }: Pick<ServedPage, 'consentText'>,
  { asked, consent, proof = '', token }: ConsentFields,
  isRecognized: Recognize,
): { consent: Consent; textHash: string } => {
  const scope = askedScopes.find((one) => one === asked);
  const [textHash = '', signature = ''] = proof.split('.');
  if (scope === undefined || !isRecognized({ scope, textHash, signature, token: token ?? '' })) {
    const isSilent = consentText === null && (asked === undefined || asked === 'nothing');
    return { consent: isSilent ? nothingAsked : notConsented, textHash };
  }
  const chosen = scope === 'nothing' ? nothingAsked : { consent: consent === 'yes', consentScope: scope };
  return { consent: chosen, textHash };
};

/**
 * Recognizes forms that Leadback signed for the page, even if the page has changed since, and that no other site sent.
 */
export const recognizeSigned =
  (keys: Keys, { page, request }: Exchange): Recognize =>
  ({ scope, textHash, token, signature }) =>
    isFromOwnPage(request) && isSignedConsentRequest(keys, { pageId: page.id, scope, textHash }, { token, signature });
