import { z } from 'zod';
import { codeField } from './session.ts';

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
