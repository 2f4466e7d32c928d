import type { SessionReply } from '../../src/contract/session.ts';
import type { PasskeyView } from '../../src/contract/security.ts';
import type { Api } from '../api/api.ts';

/** The person has closed the browser's dialog, or was too slow for it. */
export class PasskeyNotGiven extends Error {
  override readonly name = 'PasskeyNotGiven';
  /** The authenticator has a passkey of this person already. */
  readonly isKnown: boolean;

  constructor({ isKnown }: { readonly isKnown: boolean }) {
    super('the browser gave no passkey');
    this.isKnown = isKnown;
  }
}

const isAddress = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/** Whether this browser has passkeys for the host of this page. */
export const arePasskeysSupported = (): boolean =>
  'PublicKeyCredential' in globalThis &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !isAddress.test(location.hostname);

const given = async (asked: Promise<Credential | null>): Promise<object> => {
  try {
    const credential = await asked;
    if (credential instanceof PublicKeyCredential) {
      const json: object = credential.toJSON();
      return json;
    }
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : '';
    if (reason !== 'NotAllowedError' && reason !== 'AbortError' && reason !== 'InvalidStateError') throw error;
    throw new PasskeyNotGiven({ isKnown: reason === 'InvalidStateError' });
  }
  throw new PasskeyNotGiven({ isKnown: false });
};

const use = async (api: Api, path: string): Promise<object> => {
  const options = await api.post<PublicKeyCredentialRequestOptionsJSON>(`${path}/options`, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return { credential: await given(navigator.credentials.get({ publicKey })) };
};

const usedFor =
  (path: string) =>
  async (api: Api): Promise<SessionReply> =>
    api.postSession(path, await use(api, path));

export const signInWithPasskey = usedFor('/api/session/passkey');
export const stepUpWithPasskey = usedFor('/api/session/step-up/passkey');

export const addPasskey = async (api: Api): Promise<PasskeyView> => {
  const path = '/api/security/passkeys';
  const options = await api.post<PublicKeyCredentialCreationOptionsJSON>(`${path}/options`, {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return api.post<PasskeyView>(path, { credential: await given(navigator.credentials.create({ publicKey })) });
};
