import { type PlatformName, supportedPlatforms } from './platform-connection.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const agesByName = new Map<PlatformName, number>(
  supportedPlatforms.map(({ name, eventDaysMax }) => [name, eventDaysMax * dayMs - hourMs]),
);

/**
 * The age in milliseconds up to which events are sent to a platform: what it accepts, less an hour for delivery, because
 * one event that is too old may fail its whole request.
 */
export const eventAgeMaxMs = (platform: PlatformName): number => agesByName.get(platform) ?? 0;
