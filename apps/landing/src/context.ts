import { type Database, contactCipher } from '@leadback/db';
import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import {
  consentRequestKeys,
  leadProofKeys,
  leadReferenceKeys,
  pagePreviewKeys,
  rememberedClicksKeys,
  type SecretsKeys,
} from '@leadback/domain/keys';
import type { LandingEvents } from './events.ts';
import type { DatabaseClock, StoreLead } from './leads/lead-store.ts';
import type { landingLimits } from './limits.ts';
import { imageCache, type PageCache } from './pages/pages.ts';
import { leadHandleKeys } from './visitor/lead-handle.ts';
import { formTokens } from './visits/form.ts';
import { leadReferences } from './visits/lead.ts';

interface ContextOptions {
  readonly database: Database;
  readonly secretsKeys: SecretsKeys;
  readonly pages: PageCache;
  readonly clock: DatabaseClock;
  readonly storeLead: StoreLead;
  readonly limits: ReturnType<typeof landingLimits>;
  readonly events: LandingEvents;
}

/** What answers requests: connections, keys, and what holds pages, leads and limits. */
export const landingContext = ({ database, secretsKeys, clock, limits, ...others }: ContextOptions) => {
  const keys = {
    consent: consentRequestKeys(secretsKeys),
    erasure: erasureKeys(secretsKeys),
    handle: leadHandleKeys(secretsKeys),
    preview: pagePreviewKeys(secretsKeys),
    clicks: rememberedClicksKeys(secretsKeys),
    proof: leadProofKeys(secretsKeys),
    reference: leadReferenceKeys(secretsKeys),
  };
  return {
    ...others,
    ...limits,
    database,
    keys,
    contacts: contactCipher(secretsKeys),
    findImage: imageCache(database),
    references: leadReferences(keys),
    issueForm: formTokens(keys.consent, clock.nowMs),
    nowMs: clock.nowMs,
  };
};

export type LandingContext = ReturnType<typeof landingContext>;
