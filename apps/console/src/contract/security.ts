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

const passkeyNameMax = 80;

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

// far more than an authenticator sends
const encodedMax = 16_384;
const encoded = z
  .string()
  .max(encodedMax)
  .regex(/^[A-Za-z0-9_-]+$/, 'expected base64url');

const credential = {
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
};

/** What `PublicKeyCredential.toJSON()` gives for a new passkey. */
const createdPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});

/** The same for a passkey that was used. */
const usedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.exactOptional(),
  }),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()`. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

/**
 * `POST /api/session/passkey/options`, then `POST /api/session/passkey` with the credential → 200 `sessionReply`, 403
 * `passkey-refused`. `POST /api/session/step-up/passkey/options` and `POST /api/session/step-up/passkey` do the same for
 * the person who is signed in.
 */
export const usePasskeyInput = z.object({ credential: usedPasskey });

/** `POST /api/security/passkeys/options`, then `POST /api/security/passkeys` with the credential. */
export const addPasskeyInput = z.object({ credential: createdPasskey });

export type CreatedPasskey = z.output<typeof createdPasskey>;
export type UsedPasskeyResponse = z.output<typeof usedPasskey>;
