import { knownFields } from '../known-fields.ts';
import type { PlatformEvent, SendingMode } from '../platform.ts';
import type { GoogleSettings } from './settings.ts';

const adsAccount = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

/** The body of `events:ingest` (google/ads/datamanager/v1/ingestion_service.proto). */
export const ingestBody = (
  { customerId, conversionActionId, loginCustomerId = customerId }: GoogleSettings,
  mode: SendingMode,
  events: readonly PlatformEvent[],
) =>
  knownFields({
    destinations: [
      knownFields({
        operatingAccount: adsAccount(customerId),
        loginAccount: loginCustomerId === customerId ? undefined : adsAccount(loginCustomerId),
        productDestinationId: conversionActionId,
      }),
    ],
    encoding: events.some((event) => 'userData' in event) ? 'HEX' : undefined,
    events,
    validateOnly: mode === 'test' ? true : undefined,
  });

/** The same events with their clicks only; `undefined` if one of them has no click. */
export const byClickAlone = (events: readonly PlatformEvent[]): readonly PlatformEvent[] | undefined =>
  events.every((event) => 'adIdentifiers' in event)
    ? events.map((event) => knownFields({ ...event, userData: undefined }))
    : undefined;
