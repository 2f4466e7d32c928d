import { encode } from 'uqr';
import { ConsoleRefusal } from '../console-refusal.ts';
import {
  acceptInvitationInput,
  readInvitationInput,
  readInvitationReply,
  sessionReply,
  setPasswordInput,
  setPasswordReply,
} from '../contract/session.ts';
import { deviceOf } from '../sessions/browser.ts';
import { endpoint } from './guard.ts';
import { begin } from './session.ts';

/** A QR code as a path of squares. */
const qrPath = (text: string) => {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
};

export const readInvitation = endpoint({
  method: 'post',
  path: '/invitation/read',
  input: readInvitationInput,
  replies: { 200: { body: readInvitationReply } },
  async handle({ input: { token }, response }, { sessions, attempt }) {
    const invitation = await attempt(response, {
      kind: 'link',
      run: () => sessions.readInvitation(token),
      isWrong: (found) => found === undefined,
    });
    if (!invitation) throw new ConsoleRefusal('invitation-invalid');
    return { status: 200, body: { ...invitation, expiresAt: invitation.expiresAt.toISOString() } };
  },
});

export const choosePassword = endpoint({
  method: 'post',
  path: '/invitation/password',
  input: setPasswordInput,
  replies: { 200: { body: setPasswordReply } },
  async handle({ input, response }, { sessions, attempt }) {
    const secondFactor = await attempt(response, {
      kind: 'link',
      run: () => sessions.choosePassword(input),
      isWrong: (made) => made === undefined,
    });
    if (!secondFactor) throw new ConsoleRefusal('invitation-invalid');
    const { secret, url } = secondFactor;
    return { status: 200, body: { secret, url, qr: qrPath(url) } };
  },
});

export const acceptInvitation = endpoint({
  method: 'post',
  path: '/invitation/accept',
  input: acceptInvitationInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input, response }, context) {
    const verdict = await context.attempt(response, {
      kind: 'link',
      subject: `invitation ${input.token}`,
      run: () => context.sessions.acceptInvitation({ ...input, device: deviceOf(response.req.get('user-agent')) }),
      isWrong: ({ kind }) => kind !== 'right',
    });
    if (verdict.kind === 'invalid') throw new ConsoleRefusal('invitation-invalid');
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('code-wrong');
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});
