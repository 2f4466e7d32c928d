import { nothing } from '@leadback/server/http';
import { listPasskeys, type PasskeyFacts, removePasskey, renamePasskey } from '@leadback/core/people/passkeys';
import { changePassword } from '@leadback/core/people/passwords';
import { endOtherSessions, endSessionOf, listSessions } from '@leadback/core/people/sessions';
import { ConsoleRefusal } from '../console-refusal.ts';
import {
  addPasskeyInput,
  changePasswordInput,
  endSessionInput,
  type PasskeyView,
  passkeyOptions,
  passkeyView,
  removePasskeyInput,
  renamePasskeyInput,
  securityReply,
} from '../contract/security.ts';
import { deviceOf } from '../sessions/browser.ts';
import { addNewPasskey, newPasskeyOptions, supportsPasskeys } from '../sessions/passkeys.ts';
import { forSession } from './guard.ts';

const describePasskey = ({ id, name, createdAt, usedAt }: PasskeyFacts): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const securityEndpoints = [
  forSession('reads', {
    method: 'get',
    path: '/security',
    input: nothing,
    reply: securityReply,
    async handle({ session }, { em, consoleUrl }) {
      const passkeys = await listPasskeys(em(), session.person);
      const sessions = await listSessions(em(), session);
      return {
        supportsPasskeys: supportsPasskeys({ consoleUrl }),
        passkeys: passkeys.map(describePasskey),
        sessions: sessions.map(({ id, device, createdAt, seenAt }) => ({
          id,
          device: device ?? null,
          createdAt: createdAt.toISOString(),
          seenAt: seenAt.toISOString(),
          isCurrent: id === session.id,
        })),
      };
    },
  }),

  forSession('fresh', {
    method: 'post',
    path: '/security/passkeys/options',
    input: nothing,
    reply: passkeyOptions,
    handle: async ({ session }, context) => ({ ...(await newPasskeyOptions(context, session)) }),
  }),

  forSession('fresh', {
    method: 'post',
    path: '/security/passkeys',
    input: addPasskeyInput,
    reply: passkeyView,
    async handle({ input: { credential }, session, response }, context) {
      const name = deviceOf(response.req.get('user-agent')) ?? 'Passkey';
      const added = await addNewPasskey(context, session, credential, name);
      if (!added) throw new ConsoleRefusal('passkey-refused');
      return describePasskey(added);
    },
  }),

  forSession('fresh', {
    method: 'post',
    path: '/security/passkeys/rename',
    input: renamePasskeyInput,
    reply: nothing,
    async handle({ input: { id, name }, session }, { em }) {
      await renamePasskey(em(), session.person, id, name);
      return {};
    },
  }),

  forSession('fresh', {
    method: 'post',
    path: '/security/passkeys/remove',
    input: removePasskeyInput,
    reply: nothing,
    async handle({ input: { id }, session }, { em }) {
      await removePasskey(em(), session.person, id);
      return {};
    },
  }),

  forSession('ends-access', {
    method: 'post',
    path: '/security/sessions/end',
    input: endSessionInput,
    reply: nothing,
    async handle({ input: { id }, session }, { em }) {
      await (id === undefined ? endOtherSessions(em(), session) : endSessionOf(em(), session, id));
      return {};
    },
  }),

  forSession('fresh', {
    method: 'post',
    path: '/security/password',
    input: changePasswordInput,
    reply: nothing,
    async handle({ input, session, response }, { em, limits }) {
      const verdict = await limits.attempt(response, {
        kind: 'password',
        run: () => changePassword(em(), session, input),
        isWrong: (found) => found === 'wrong',
      });
      if (verdict === 'signed-out') throw new ConsoleRefusal('signed-out');
      if (verdict === 'wrong') throw new ConsoleRefusal('password-wrong');
      return {};
    },
  }),
];
