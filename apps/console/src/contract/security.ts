import { z } from 'zod';
import { passwordField, passwordMax } from './session.ts';

const id = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const passkeyView = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: z.string(),
  /** Null: not yet. */
  usedAt: z.string().nullable(),
});

const personSession = z.object({
  id: z.number(),
  /** Such as `Firefox · Windows`; null: unknown. */
  device: z.string().nullable(),
  createdAt: z.string(),
  seenAt: z.string(),
  /** The session of this request. */
  isCurrent: z.boolean(),
});

/** `GET /api/security` → 200: how the person who is signed in may sign in, and where this person is signed in. */
export const securityReply = z.object({
  /** False: the console is opened by an IP address, which passkeys do not work with. */
  supportsPasskeys: z.boolean(),
  passkeys: z.array(passkeyView),
  sessions: z.array(personSession),
});

export const passkeyNameMax = 80;

/** `POST /api/security/passkeys/rename` → 200. */
export const renamePasskeyInput = z.object({ id, name: z.string().trim().min(1).max(passkeyNameMax) });

/** `POST /api/security/passkeys/remove` → 200. */
export const removePasskeyInput = z.object({ id });

/** `POST /api/security/sessions/end` → 200; without `id`, all others but this one. */
export const endSessionInput = z.object({ id: id.optional() });

/** `POST /api/security/password` → 200, 403 `password-wrong`. Ends all other sessions. */
export const changePasswordInput = z.object({ current: z.string().max(passwordMax), password: passwordField });

export type PasskeyView = z.output<typeof passkeyView>;
export type PersonSessionView = z.output<typeof personSession>;
export type SecurityReply = z.output<typeof securityReply>;
export type ChangePasswordInput = z.input<typeof changePasswordInput>;
