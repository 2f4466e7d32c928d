import { endpoint, nothing } from '@leadback/http';
import type { PasskeyFacts } from '@leadback/people';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { addPasskeyInput, passkeyOptions } from '../contract/passkeys.ts';
import { type PasskeyView, passkeyView, removePasskeyInput, renamePasskeyInput } from '../contract/security.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { deviceOf } from '../sessions/device-of.ts';

const subject = 'Security';

export const describePasskey = ({ id, name, createdAt, usedAt }: PasskeyFacts): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const creationOptions = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/passkeys/options',
  subject,
  summary: 'Begin to add a passkey',
  description: 'The challenge is for one attempt within 5 minutes.',
  input: nothing,
  headers: nothing,
  replies: { 200: { description: 'For the browser.', body: passkeyOptions, example: undefined } },
  handle: async ({ response }, { passkeys }) => ({
    status: 200,
    body: { ...(await passkeys.creationOptions(sessionOf(response))) },
  }),
});

export const addPasskey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/passkeys',
  subject,
  summary: 'Add a passkey',
  description: 'It has the name of the device until the person renames it.',
  input: addPasskeyInput,
  headers: nothing,
  replies: { 200: { description: 'The passkey.', body: passkeyView, example: undefined } },
  async handle({ input: { credential }, response }, { passkeys }) {
    const name = deviceOf(response.req.get('user-agent')) ?? 'Passkey';
    const added = await passkeys.add(sessionOf(response), credential, name);
    if (!added) throw new ConsoleRefusal('passkey-refused');
    return { status: 200, body: describePasskey(added) };
  },
});

export const renamePasskey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/passkeys/rename',
  subject,
  summary: 'Rename a passkey',
  description: 'Of the person who is signed in.',
  input: renamePasskeyInput,
  headers: nothing,
  replies: { 200: { description: 'Renamed.', body: nothing, example: undefined } },
  async handle({ input: { id, name }, response }, { ownSecurity }) {
    await ownSecurity.renamePasskey(sessionOf(response), id, name);
    return { status: 200, body: {} };
  },
});

export const removePasskey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/passkeys/remove',
  subject,
  summary: 'Remove a passkey',
  description: 'It cannot be used any more.',
  input: removePasskeyInput,
  headers: nothing,
  replies: { 200: { description: 'Removed.', body: nothing, example: undefined } },
  async handle({ input: { id }, response }, { ownSecurity }) {
    await ownSecurity.removePasskey(sessionOf(response), id);
    return { status: 200, body: {} };
  },
});
