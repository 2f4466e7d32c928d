import { z } from 'zod';
import { type EventSettings, eventNamesSchema, type StoredSettings } from './named-settings.ts';

const storedSchema = z.record(z.string(), z.unknown());

/** What has the name that the event for adjustments has, too: a setting, or the mapping of a partner's event name. */
export type TakenName = { readonly setting: string } | { readonly eventName: string };

/**
 * What else has the name of the event for adjustments; undefined if nothing has. The platform would count what was taken
 * back as what was sold. `settings`: parsed.
 */
export const takenName = (
  names: EventSettings | undefined,
  { settings, eventNames }: StoredSettings,
): TakenName | undefined => {
  const values = storedSchema.parse(settings);
  const name = names?.adjustment === undefined ? undefined : values[names.adjustment];
  if (names === undefined || name === undefined) return undefined;
  const setting = [names.conversion, names.lead].find((one) => one !== undefined && values[one] === name);
  if (setting !== undefined) return { setting };
  const mapped = Object.entries(eventNamesSchema.parse(eventNames)).find(([, value]) => value.trim() === name);
  return mapped && { eventName: mapped[0] };
};
