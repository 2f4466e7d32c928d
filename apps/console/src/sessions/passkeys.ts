import { isIP } from 'node:net';
import { ActionRefused } from '@leadback/core/people/access';
import {
  addPasskey,
  listPasskeys,
  signInByPasskey,
  stepUpByPasskey,
  type UsedPasskey,
} from '@leadback/core/people/passkeys';
import { type ChallengeFor, challengeMs, newChallenge, takeChallenge } from '@leadback/core/people/sign-in';
import type { Session } from '@leadback/core/people/sessions';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import type { CreatedPasskey, UsedPasskeyResponse } from '../contract/security.ts';

// loaded when somebody first uses a passkey: it takes 150 ms and 30 MB
const library = () => import('@simplewebauthn/server');

// EdDSA, ES256 and RS256: what authenticators have. Those after quantum computers are an experiment in Node
const supportedAlgorithmIDs = [-8, -7, -257];

const bytesOf = (encoded: string) => new Uint8Array(Buffer.from(encoded, 'base64url'));
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

interface KnownPasskey {
  readonly credentialId: Uint8Array;
  readonly transports: readonly string[];
}

const describe = ({ credentialId, transports }: KnownPasskey) => ({
  id: encode(credentialId),
  transports: [...transports],
});

interface Owner {
  readonly id: number;
  readonly email: string;
}

/** What an authenticator keeps beside a passkey, and gives back with it. */
const handleOf = ({ id }: Pick<Owner, 'id'>) => `person ${id}`;

interface Signed {
  readonly owner: Pick<Owner, 'id'>;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/** Our side of passkeys, for a console that people open at this URL. Passkeys always check who uses them. */
const relyingParty = (consoleUrl: string) => {
  const { origin, hostname } = new URL(consoleUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
  return {
    /** What a browser needs to create a passkey. */
    async creationOptions(challenge: string, owner: Owner, known: readonly KnownPasskey[]) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: 'Leadback',
        rpID: hostname,
        userName: owner.email,
        userDisplayName: owner.email,
        userID: new TextEncoder().encode(handleOf(owner)),
        challenge: bytesOf(challenge),
        timeout: challengeMs,
        supportedAlgorithmIDs,
        excludeCredentials: known.map(describe),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    async requestOptions(challenge: string, known: readonly KnownPasskey[]) {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID: hostname,
        challenge: bytesOf(challenge),
        timeout: challengeMs,
        userVerification: 'required',
        allowCredentials: known.map(describe),
      });
    },

    /** The public part of a passkey that was created for this challenge; undefined if the response is not right. */
    async created(response: CreatedPasskey, expectedChallenge: string) {
      const { verifyRegistrationResponse } = await library();
      try {
        const { registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          response,
          expectedChallenge,
          supportedAlgorithmIDs,
        });
        if (!registrationInfo) return undefined;
        const { id, publicKey, counter } = registrationInfo.credential;
        return { credentialId: bytesOf(id), publicKey, counter, transports: response.response.transports };
      } catch {
        return undefined;
      }
    },

    /** The new counter; undefined if the response was not signed by this passkey for this challenge. */
    async counterOf(response: UsedPasskeyResponse, expectedChallenge: string, { owner, publicKey, counter }: Signed) {
      const { userHandle } = response.response;
      if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== handleOf(owner)) {
        return undefined;
      }
      const { verifyAuthenticationResponse } = await library();
      const credential = { id: response.id, publicKey: new Uint8Array(publicKey), counter };
      try {
        const result = await verifyAuthenticationResponse({ ...expected, response, expectedChallenge, credential });
        return result.verified ? result.authenticationInfo.newCounter : undefined;
      } catch {
        // also if the counter has not advanced: there may be a copy of the authenticator
        return undefined;
      }
    },
  };
};

const clientData = z.object({ challenge: z.string() });

/** The challenge that a response is for. Its signature is verified later. */
const challengeIn = (clientDataJSON: string): string | undefined => {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return undefined;
  }
};

const stepUpOf = ({ person }: Session): ChallengeFor => ({ purpose: 'step-up', personId: person.id });
const addOf = ({ person }: Session): ChallengeFor => ({ purpose: 'add-passkey', personId: person.id });

type At = Pick<ConsoleContext, 'em' | 'pool' | 'consoleUrl'>;

/** Browsers have no passkeys for IP addresses. */
export const supportsPasskeys = ({ consoleUrl }: Pick<ConsoleContext, 'consoleUrl'>): boolean =>
  isIP(new URL(consoleUrl).hostname.replace(/^\[(.*)\]$/, '$1')) === 0;

const challenge = (at: At, wanted: ChallengeFor): Promise<string> => {
  if (!supportsPasskeys(at))
    throw new ActionRefused('conflict', 'passkeys need a CONSOLE_URL with a host name in place of an IP address');
  return newChallenge(at.pool, wanted);
};

/** The challenge of a response, which is used up now. */
const takeFrom = async (
  { pool }: At,
  { response }: CreatedPasskey | UsedPasskeyResponse,
  wanted: ChallengeFor,
): Promise<string | undefined> => {
  const sent = challengeIn(response.clientDataJSON);
  return sent !== undefined && (await takeChallenge(pool, sent, wanted)) !== undefined ? sent : undefined;
};

const usedFor = async (at: At, sent: UsedPasskeyResponse, wanted: ChallengeFor): Promise<UsedPasskey | undefined> => {
  const taken = await takeFrom(at, sent, wanted);
  if (taken === undefined) return undefined;
  return {
    credentialId: bytesOf(sent.id),
    verify: ({ person: owner, publicKey, counter }) =>
      relyingParty(at.consoleUrl).counterOf(sent, taken, { owner, publicKey, counter }),
  };
};

export const newPasskeyOptions = async (at: At, session: Session) => {
  const known = await listPasskeys(at.em(), session.person);
  return relyingParty(at.consoleUrl).creationOptions(await challenge(at, addOf(session)), session.person, known);
};

/** Undefined: the passkey is refused. */
export const addNewPasskey = async (at: At, session: Session, sent: CreatedPasskey, name: string) => {
  const taken = await takeFrom(at, sent, addOf(session));
  const created = taken === undefined ? undefined : await relyingParty(at.consoleUrl).created(sent, taken);
  return created && addPasskey(at.em(), session.person, { ...created, name });
};

/** What a browser needs to use a passkey: one of the session's person or, without a session, one that the person chooses. */
export const passkeyOptionsFor = async (at: At, session?: Session) => {
  const known = session ? await listPasskeys(at.em(), session.person) : [];
  const wanted = session ? stepUpOf(session) : ({ purpose: 'sign-in' } as const);
  return relyingParty(at.consoleUrl).requestOptions(await challenge(at, wanted), known);
};

/** Returns the token of the new session; undefined: the passkey is refused. */
export const signInWithPasskey = async (
  at: At,
  sent: UsedPasskeyResponse,
  device: string | undefined,
): Promise<string | undefined> => {
  const used = await usedFor(at, sent, { purpose: 'sign-in' });
  return used && signInByPasskey(at.em(), used, device);
};

export const stepUpWithPasskey = async (at: At, session: Session, sent: UsedPasskeyResponse) => {
  const used = await usedFor(at, sent, stepUpOf(session));
  return used ? stepUpByPasskey(at.em(), session, used) : { kind: 'wrong' as const };
};
