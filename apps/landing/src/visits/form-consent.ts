import type { LandingPage } from '@leadback/db';
import {
  type AskedScope,
  askedScopes,
  type ConsentRequest,
  isSignedConsentRequest,
  type Keys,
  type NewLead,
} from '@leadback/domain';
import type { Exchange } from './exchange.ts';
import { isFromOwnPage } from './own-form.ts';

/** What a visitor agreed to; null: the page did not ask. */
export type Consent = Pick<NewLead, 'consent' | 'consentScope'>;

export const nothingAsked: Consent = { consent: null, consentScope: null };
const notConsented: Consent = { consent: false, consentScope: 'sharing' };

/** What a form says about what its page asked. It may be forged. */
export interface SentRequest extends Omit<ConsentRequest, 'pageId'> {
  readonly scope: AskedScope;
  readonly signature: string;
  readonly token: string;
}

/** Decides whether a page of ours asked what the form says. */
export type Recognize = (sent: SentRequest) => boolean;

interface ConsentFields {
  readonly asked?: string | undefined;
  readonly consent?: string | undefined;
  /** `<hash of the consent text>.<signature>` */
  readonly proof?: string | undefined;
  readonly token: string | null;
}

/**
 * The consent in a form, and the consent text that it was given to. A form that is not recognized counts as not consented,
 * unless the page asks for nothing and the form does not say that it asked for something when it was shown.
 */
export const readConsent = (
  { consentText }: Pick<LandingPage, 'consentText'>,
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

/** Recognizes forms of the page that we signed, whatever the page asks by now, and that no other site sent. */
export const recognizeSigned =
  (keys: Keys, { page, request }: Exchange): Recognize =>
  ({ scope, textHash, token, signature }) =>
    isFromOwnPage(request) && isSignedConsentRequest(keys, { pageId: page.id, scope, textHash }, { token, signature });
