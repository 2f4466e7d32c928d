import express, { type Response, type Router } from 'express';
import type { z } from 'zod';
import type { SecurityReply } from '../../apps/console/src/contract/security.ts';
import {
  acceptInvitationInput,
  type ConsoleErrorCode,
  type Role,
  readInvitationInput,
  type SessionReply,
  setPasswordInput,
  type setPasswordReply,
  signInInput,
} from '../../apps/console/src/contract/session.ts';
import { capabilitiesOf } from '../../apps/console/src/sessions/authenticate.ts';

/** What the double of the console's server remembers. */
export interface DoubleState {
  person: { readonly role: Role } | undefined;
  failure: { readonly path: RegExp; readonly status: number } | undefined;
  /** Deliveries that the retry has sent; undefined: none was started. */
  retried: number | undefined;
}

export const refuse = (
  response: Response,
  status: number,
  code: ConsoleErrorCode | 'internal' | 'not-found',
  message: string,
): void => {
  response.status(status).set('leadback-error', code).json({ message });
};

export const csrf = 'csrf-of-the-double';
export const rightCode = '123456';
export const invitationToken = 'i'.repeat(43);

const sessionOf = ({ person }: DoubleState): SessionReply => ({
  csrf,
  person: person
    ? {
        id: 1,
        email: 'ana@example.com',
        role: person.role,
        may: capabilitiesOf(person.role),
        seesAllAccounts: true,
        hasPasskey: true,
      }
    : null,
  provider: 'Acme ID',
  accounts: person
    ? [
        { id: 1, name: 'Acme Store', status: 'active' },
        { id: 2, name: 'Globex', status: 'suspended' },
      ]
    : [],
  idleUntil: null,
  steppedUpUntil: null,
  guessedCodes: null,
});

const qr = { size: 29, path: 'M4 4h7v7h-7zM18 4h7v7h-7zM4 18h7v7h-7zM13 13h3v3h-3z' };

/** Sign-in and invitations, with one right code. */
export const sessionDouble = (state: DoubleState): Router => {
  const router = express.Router();
  router.get('/session', (_request, response) => void response.json(sessionOf(state)));
  router.post('/session/sign-in', (request, response) => {
    if (signInInput.parse(request.body).code !== rightCode)
      return refuse(response, 401, 'sign-in-failed', 'email, password or code is wrong');
    state.person = { role: 'operator' };
    return void response.json(sessionOf(state));
  });
  router.post('/session/sign-out', (_request, response) => {
    state.person = undefined;
    response.json(sessionOf(state));
  });
  router.post('/invitation/read', (request, response) => {
    const { token } = readInvitationInput.parse(request.body);
    if (token !== invitationToken) return refuse(response, 404, 'invitation-invalid', 'used or expired');
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    return void response.json({ email: 'ana@example.com', role: 'marketer', accounts: ['Acme Store'], expiresAt });
  });
  router.post('/invitation/password', (request, response) => {
    setPasswordInput.parse(request.body);
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const reply: z.infer<typeof setPasswordReply> = { secret, url: `otpauth://totp/Leadback?secret=${secret}`, qr };
    response.json(reply);
  });
  router.post('/invitation/accept', (request, response) => {
    if (acceptInvitationInput.parse(request.body).code !== rightCode)
      return refuse(response, 403, 'code-wrong', 'the code is wrong');
    state.person = { role: 'partner-viewer' };
    return void response.json(sessionOf(state));
  });
  return router;
};

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const reply = (): SecurityReply => ({
  supportsPasskeys: true,
  passkeys: [
    { id: 1, name: 'Safari · iPhone', createdAt: ago(2000), usedAt: ago(3) },
    { id: 2, name: 'Security key in the drawer of the desk at home', createdAt: ago(50), usedAt: null },
  ],
  sessions: [
    { id: 11, device: 'Chrome · Windows', createdAt: ago(4), seenAt: ago(0), isCurrent: true },
    { id: 12, device: 'Safari · iPhone', createdAt: ago(100), seenAt: ago(7), isCurrent: false },
    { id: 13, device: null, createdAt: ago(120), seenAt: ago(11), isCurrent: false },
  ],
});

/** The own sign-in of the person. */
export const securityDouble = (): Router => {
  const router = express.Router();
  router.get('/', (_request, response) => void response.json(reply()));
  return router;
};
