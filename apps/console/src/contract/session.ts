import { roles } from '@leadback/domain';
import { z } from 'zod';

/** What a person may do in an account, or across accounts. */
export const capabilities = [
  'read',
  'see-personal-data',
  'retry',
  'edit-pages',
  'manage-connections',
  'manage-webhooks',
  'manage-keys',
  'import-sales',
  'erase',
  'read-audit',
  'manage-people',
  'manage-accounts',
] as const;

const capabilitySchema = z.enum(capabilities);
export type Capability = z.output<typeof capabilitySchema>;

export const roleSchema = z.enum(roles);

/**
 * Why a request failed, in the header `Leadback-Error`. The body is `{"message"}`; `x-request-id` is for support. 401
 * `signed-out`: show the sign-in and keep what was typed. 403 `second-factor-needed`: step up, then repeat the request.
 */
const consoleErrorCodes = [
  'signed-out',
  'sign-in-failed',
  'locked',
  'cross-site',
  'role-forbids',
  'invitation-invalid',
  'code-wrong',
  'code-used',
  'second-factor-needed',
  'passkey-refused',
  'password-wrong',
  'provider-unavailable',
  'provider-refused',
  'provider-code-needed',
] as const;
export type ConsoleErrorCode = (typeof consoleErrorCodes)[number];

/** The header that every POST needs, with the value of `csrf`. */
export const csrfHeader = 'x-leadback-csrf';

const visibleAccount = z.object({
  id: z.number(),
  name: z.string(),
  status: z.enum(['active', 'suspended']),
  /** In which its days begin: an IANA name. */
  timeZone: z.string(),
});

/** `GET /api/session`, also the reply of signing in, out and of the second factor. Never 401. */
export const sessionReply = z.object({
  csrf: z.string(),
  /** Null: signed out. */
  person: z
    .object({
      id: z.number(),
      email: z.string(),
      role: roleSchema,
      may: z.array(capabilitySchema),
      /** Otherwise only `accounts`. */
      seesAllAccounts: z.boolean(),
      hasPasskey: z.boolean(),
    })
    .nullable(),
  /** The name of the identity provider to sign in with; null: there is none. */
  provider: z.string().nullable(),
  /** At most 500, by name. */
  accounts: z.array(visibleAccount),
  /** ISO 8601: when the session ends without a request; null if signed out. */
  idleUntil: z.string().nullable(),
  /** ISO 8601: until when actions that need a fresh second factor are open; null: they need one. */
  steppedUpUntil: z.string().nullable(),
  /** Wrong codes with the right password since a time (ISO 8601) that the person has not confirmed to know of; null: none. */
  guessedCodes: z.object({ count: z.number(), since: z.string() }).nullable(),
});

const passwordMin = 12;
export const passwordMax = 200;

export const passwordField = z
  .string()
  .min(passwordMin, `expected ${passwordMin} characters or more`)
  .max(passwordMax, `expected ${passwordMax} characters or less`);
const codeField = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'expected the 6 digits of your authenticator app'));
const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'expected the code of an invitation link');

/** `POST /api/session/sign-in` → 200, 401 `sign-in-failed`, 403 `code-used`, 429 `locked`. */
export const signInInput = z.object({
  email: z.string().max(320),
  password: z.string().max(passwordMax),
  code: codeField,
});

/** `POST /api/session/guessed-codes`: the person was told of so many → 200 `sessionReply`. */
export const confirmGuessedCodesInput = z.object({ count: z.int().min(1).max(2_147_483_647) });

/** `POST /api/session/step-up` → 200, 403 `code-wrong` or `code-used`, 429 `locked`. */
export const stepUpInput = z.object({ code: codeField });

/** `POST /api/invitation/read`: the token is what follows `#` in `/invitation#…` → 200, 404 `invitation-invalid`. */
export const readInvitationInput = z.object({ token });
export const readInvitationReply = z.object({
  email: z.string(),
  role: roleSchema,
  accounts: z.array(z.string()),
  expiresAt: z.string(),
});

/** `POST /api/invitation/password` → 200 with what the authenticator app needs. May be repeated until accepted. */
export const setPasswordInput = z.object({ token, password: passwordField });
export const setPasswordReply = z.object({
  /** In base32, to type. */
  secret: z.string(),
  /** `otpauth://…`, what the QR code says. */
  url: z.string(),
  /** The QR code: an SVG path in a view box of `size` × `size`, dark modules. */
  qr: z.object({ size: z.number(), path: z.string() }),
});

/** `POST /api/invitation/accept` → 200 `sessionReply`, signed in; 403 `code-wrong`. The link is used up. */
export const acceptInvitationInput = z.object({ token, code: codeField });

export type Role = z.output<typeof roleSchema>;
export type SessionReply = z.output<typeof sessionReply>;
export type VisibleAccount = z.output<typeof visibleAccount>;
export type SignInInput = z.input<typeof signInInput>;
export type ReadInvitationReply = z.output<typeof readInvitationReply>;
export type SetPasswordInput = z.input<typeof setPasswordInput>;
export type SetPasswordReply = z.output<typeof setPasswordReply>;
export type AcceptInvitationInput = z.input<typeof acceptInvitationInput>;

/**
 * `POST /api/session/provider/begin` → 200 with where to go, 503 `provider-unavailable`. The provider sends the browser to
 * `/sign-in/provider?…`.
 */
export const beginProviderReply = z.object({ url: z.string() });

/**
 * `POST /api/session/provider` with what is behind the path, from `?` on → 200 `sessionReply`, 403 `provider-refused`, or
 * 403 `provider-code-needed`: the provider has checked no second factor.
 */
export const finishProviderInput = z.object({ query: z.string().max(8192).startsWith('?') });

/** `POST /api/session/provider/code` → 200 `sessionReply`, 403 `code-wrong`, 403 `provider-refused`, 429 `locked`. */
export const providerCodeInput = z.object({ code: codeField });

export type BeginProviderReply = z.output<typeof beginProviderReply>;
