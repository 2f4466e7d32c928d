import { isIP } from 'node:net';
import type { Database } from '@leadback/db';
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
    /** Browsers have no passkeys for IP addresses. */
    supportsPasskeys: isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0,

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

    /** What a browser needs to use a passkey: one of these or, without any, one that the person chooses. */
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

/** Adding passkeys, and signing in and stepping up with them. Undefined in place of a result: the passkey is refused. */
export const passkeys = ({ em, pool }: Pick<Database, 'em' | 'pool'>, consoleUrl: string) => {
  const party = relyingParty(consoleUrl);

  const challenge = (wanted: ChallengeFor): Promise<string> => {
    if (!party.supportsPasskeys)
      throw new ActionRefused('conflict', 'passkeys need a CONSOLE_URL with a host name in place of an IP address');
    return newChallenge(pool, wanted);
  };

  /** The challenge of a response, which is used up now. */
  const takeFrom = async (
    { response }: CreatedPasskey | UsedPasskeyResponse,
    wanted: ChallengeFor,
  ): Promise<string | undefined> => {
    const sent = challengeIn(response.clientDataJSON);
    return sent !== undefined && (await takeChallenge(pool, sent, wanted)) !== undefined ? sent : undefined;
  };

  const usedFor = async (sent: UsedPasskeyResponse, wanted: ChallengeFor): Promise<UsedPasskey | undefined> => {
    const taken = await takeFrom(sent, wanted);
    return taken === undefined
      ? undefined
      : {
          credentialId: bytesOf(sent.id),
          verify: ({ person: owner, publicKey, counter }) =>
            party.counterOf(sent, taken, { owner, publicKey, counter }),
        };
  };

  return {
    supportsPasskeys: party.supportsPasskeys,

    async creationOptions(session: Session) {
      const known = await listPasskeys(em(), session.person);
      return party.creationOptions(await challenge(addOf(session)), session.person, known);
    },

    async add(session: Session, sent: CreatedPasskey, name: string) {
      const taken = await takeFrom(sent, addOf(session));
      const created = taken === undefined ? undefined : await party.created(sent, taken);
      return created && addPasskey(em(), session.person, { ...created, name });
    },

    signInOptions: async () => party.requestOptions(await challenge({ purpose: 'sign-in' }), []),

    async signIn(sent: UsedPasskeyResponse, device: string | undefined): Promise<string | undefined> {
      const used = await usedFor(sent, { purpose: 'sign-in' });
      return used && signInByPasskey(em(), used, device);
    },

    async stepUpOptions(session: Session) {
      const known = await listPasskeys(em(), session.person);
      return party.requestOptions(await challenge(stepUpOf(session)), known);
    },

    async stepUp(session: Session, sent: UsedPasskeyResponse) {
      const used = await usedFor(sent, stepUpOf(session));
      return used ? stepUpByPasskey(em(), session, used) : { kind: 'wrong' as const };
    },
  };
};
