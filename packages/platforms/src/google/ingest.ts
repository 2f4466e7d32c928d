import { z } from 'zod';
import { knownFields } from '../known-fields.ts';
import type { PlatformEvent, SendingMode } from '../platform.ts';
import type { GoogleSettings } from './settings.ts';

const referringSchema = z.object({ destinationReferences: z.tuple([z.string()]) });

/** The conversion action that an event is about; '' for that of the connection. */
export const conversionActionOf = (event: PlatformEvent): string =>
  referringSchema.safeParse(event).data?.destinationReferences[0] ?? '';

const adsAccount = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

/** The body of `events:ingest` (google/ads/datamanager/v1/ingestion_service.proto). */
export const ingestBody = (
  { customerId, conversionActionId, loginCustomerId = customerId }: GoogleSettings,
  mode: SendingMode,
  events: readonly PlatformEvent[],
) =>
  knownFields({
    destinations: [...new Set(events.map((event) => conversionActionOf(event) || conversionActionId))].map((action) =>
      knownFields({
        reference: action,
        operatingAccount: adsAccount(customerId),
        loginAccount: loginCustomerId === customerId ? undefined : adsAccount(loginCustomerId),
        productDestinationId: action,
      }),
    ),
    encoding: events.some((event) => 'userData' in event) ? 'HEX' : undefined,
    events,
    validateOnly: mode === 'test' ? true : undefined,
  });

/** The same events with their clicks only; `undefined` if one of them has no click. */
export const byClickAlone = (events: readonly PlatformEvent[]): readonly PlatformEvent[] | undefined =>
  events.every((event) => 'adIdentifiers' in event)
    ? events.map((event) => knownFields({ ...event, userData: undefined }))
    : undefined;
