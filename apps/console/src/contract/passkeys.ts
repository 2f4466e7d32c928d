import { z } from 'zod';

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
export const createdPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});

/** The same for a passkey that was used. */
export const usedPasskey = z.object({
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
