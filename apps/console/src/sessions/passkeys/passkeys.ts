import type { Database } from '@leadback/db';
import {
  ActionRefused,
  addPasskey,
  type ChallengeFor,
  listPasskeys,
  newChallenge,
  type Session,
  signInByPasskey,
  stepUpByPasskey,
  takeChallenge,
  type UsedPasskey,
} from '@leadback/people';
import { z } from 'zod';
import type { CreatedPasskey, UsedPasskeyResponse } from '../../contract/security.ts';
import { bytesOf, relyingParty } from './relying-party.ts';

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
