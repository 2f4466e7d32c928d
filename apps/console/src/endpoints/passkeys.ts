import { nothing } from '@leadback/http';
import type { PasskeyFacts } from '@leadback/people';
import { ConsoleRefusal } from '../console-refusal.ts';
import { addPasskeyInput, passkeyOptions } from '../contract/passkeys.ts';
import { type PasskeyView, passkeyView, removePasskeyInput, renamePasskeyInput } from '../contract/security.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { deviceOf } from '../sessions/device-of.ts';
import { endpoint } from './guard.ts';

export const describePasskey = ({ id, name, createdAt, usedAt }: PasskeyFacts): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const creationOptions = endpoint({
  method: 'post',
  path: '/security/passkeys/options',
  input: nothing,
  replies: { 200: { body: passkeyOptions } },
  handle: async ({ response }, { passkeys }) => ({
    status: 200,
    body: { ...(await passkeys.creationOptions(sessionOf(response))) },
  }),
});

export const addPasskey = endpoint({
  method: 'post',
  path: '/security/passkeys',
  input: addPasskeyInput,
  replies: { 200: { body: passkeyView } },
  async handle({ input: { credential }, response }, { passkeys }) {
    const name = deviceOf(response.req.get('user-agent')) ?? 'Passkey';
    const added = await passkeys.add(sessionOf(response), credential, name);
    if (!added) throw new ConsoleRefusal('passkey-refused');
    return { status: 200, body: describePasskey(added) };
  },
});

export const renamePasskey = endpoint({
  method: 'post',
  path: '/security/passkeys/rename',
  input: renamePasskeyInput,
  replies: { 200: { body: nothing } },
  async handle({ input: { id, name }, response }, { ownSecurity }) {
    await ownSecurity.renamePasskey(sessionOf(response), id, name);
    return { status: 200, body: {} };
  },
});

export const removePasskey = endpoint({
  method: 'post',
  path: '/security/passkeys/remove',
  input: removePasskeyInput,
  replies: { 200: { body: nothing } },
  async handle({ input: { id }, response }, { ownSecurity }) {
    await ownSecurity.removePasskey(sessionOf(response), id);
    return { status: 200, body: {} };
  },
});
