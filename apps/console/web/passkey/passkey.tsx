import { useMutation } from '@tanstack/react-query';
import type { PasskeyView } from '../../src/contract/security.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import { type Api, ApiError, useApi } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/notices.tsx';
import styles from '../shell/late.module.css';
import { useTexts } from '../text/language.tsx';
import { type PasskeyTexts, passkeyTexts } from './texts.ts';

/** The person has closed the browser's dialog, or was too slow for it. */
class PasskeyNotGiven extends Error {
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

/** What a failed attempt with a passkey means; undefined if it has failed as every request may. */
const passkeyProblem = (error: Error, texts: PasskeyTexts): string | undefined => {
  if (error instanceof PasskeyNotGiven) return error.isKnown ? texts.isKnown : texts.notGiven;
  return error instanceof ApiError && error.is('passkey-refused') ? texts.refused : undefined;
};

export const PasskeyFailure = ({ error }: { readonly error: Error }) => {
  const problem = passkeyProblem(error, useTexts(passkeyTexts));
  if (problem === undefined) return <Failure error={error} />;
  return (
    <p className="alert" role="alert">
      {problem}
    </p>
  );
};

interface PasskeyButtonProps {
  readonly what: 'signIn' | 'confirm';
  readonly attempt: (api: Api) => Promise<SessionReply>;
  readonly onDone: (session: SessionReply) => void;
}

/** The other way beside a form. Nothing in a browser without passkeys. */
export const PasskeyButton = ({ what, attempt, onDone }: PasskeyButtonProps) => {
  const texts = useTexts(passkeyTexts);
  const api = useApi();
  const { mutate, isPending, error } = useMutation({ mutationFn: () => attempt(api), onSuccess: onDone });
  if (!arePasskeysSupported()) return null;
  return (
    <div className={styles.other}>
      <p className={styles.or}>{texts.or}</p>
      <Button icon="shield" isBusy={isPending} onClick={() => mutate()}>
        {texts[what]}
      </Button>
      {error && <PasskeyFailure error={error} />}
    </div>
  );
};
