import { isIP } from 'node:net';
import { challengeMs } from '@leadback/people';
import type { CreatedPasskey, UsedPasskeyResponse } from '../../contract/security.ts';

// loaded when somebody first uses a passkey: it takes 150 ms and 30 MB
const library = () => import('@simplewebauthn/server');

// EdDSA, ES256 and RS256: what authenticators have. Those after quantum computers are an experiment in Node
const supportedAlgorithmIDs = [-8, -7, -257];

export const bytesOf = (encoded: string) => new Uint8Array(Buffer.from(encoded, 'base64url'));
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

export interface Signed {
  readonly owner: Pick<Owner, 'id'>;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/** Our side of passkeys, for a console that people open at this URL. Passkeys always check who uses them. */
export const relyingParty = (consoleUrl: string) => {
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
