import type { Resolver } from 'node:dns/promises';
import type { Platforms } from '@leadback/platforms';
import { type ContactCipher, type Database, contactCipher } from '@leadback/db';
import type { FetchTools } from '@leadback/core/sources/kind';
import { type UrlCheck, type UrlCheckOptions, urlCheck } from '@leadback/core/webhooks/webhooks';
import { type Keys, knownBrowserKeys, type SecretsKeys } from '@leadback/domain/keys';
import type { ConsoleEvents } from './events.ts';
import { type FindImage, imageFinder } from './pages/send-media.ts';
import { type SessionFinder, sessionFinder } from './sessions/authenticate.ts';
import { type Limits, limits } from './sessions/limit-rate.ts';
import { type IdentityProvider, identityProvider, type ProviderOptions } from './sessions/provider.ts';

interface ConsoleOptions {
  readonly secretsKeys: SecretsKeys;
  readonly platforms: Platforms;
  /** Where people open it. */
  readonly consoleUrl: string;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  /** Where partners call the API; undefined: not known. */
  readonly apiUrl: string | undefined;
  readonly events: ConsoleEvents;
  /** Reaches shops that let a source in. */
  readonly fetching: FetchTools;
  /** Asked where domains of accounts lead. */
  readonly dns: Resolver;
}

/** What the endpoints have: connections and keys, and what keeps something between two requests. */
export interface ConsoleContext extends ConsoleOptions, Pick<Database, 'em' | 'pool'> {
  readonly contacts: ContactCipher;
  /** Those of the cookies of browsers in which somebody has signed in. */
  readonly browserKeys: Keys;
  readonly limits: Limits;
  readonly findSession: SessionFinder;
  readonly findImage: FindImage;
  /** Undefined: people sign in without an identity provider. */
  readonly provider: IdentityProvider | undefined;
  /** Of webhooks. */
  readonly checkUrl: UrlCheck;
}

interface Setup extends ConsoleOptions {
  readonly provider: ProviderOptions | undefined;
  /** What URLs of webhooks may be. */
  readonly urls: UrlCheckOptions;
}

export const consoleContext = ({ em, pool }: Pick<Database, 'em' | 'pool'>, setup: Setup): ConsoleContext => {
  const { provider, urls, ...options } = setup;
  const { secretsKeys, consoleUrl, events } = options;
  const browserKeys = knownBrowserKeys(secretsKeys);
  return {
    ...options,
    em,
    pool,
    contacts: contactCipher(secretsKeys),
    browserKeys,
    limits: limits(pool, browserKeys),
    findSession: sessionFinder(pool),
    findImage: imageFinder(em),
    provider: provider && identityProvider(provider, consoleUrl, events.providerUnavailable),
    checkUrl: urlCheck(urls),
  };
};
