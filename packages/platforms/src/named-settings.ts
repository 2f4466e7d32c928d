import { attributedOf, type AttributedEvent } from '@leadback/domain';
import { z } from 'zod';

/** The settings that say what the platform calls an event: by a name, or by the id of a conversion action. */
export interface EventSettings<Setting extends string = string> {
  readonly conversion: Setting;
  /** Without a value for it, a connection is told of no leads. */
  readonly lead?: Setting;
  /** Names an event of its own for adjustments, which nothing else may have. */
  readonly adjustment?: Setting;
}

/** Settings and event names of a connection, as they are stored. */
export interface StoredSettings {
  readonly settings: unknown;
  readonly eventNames: unknown;
}

const storedSchema = z.record(z.string(), z.unknown());

/** The partner's event names, and what the platform calls those events. */
export const eventNamesSchema = z.record(z.string(), z.string());

/**
 * Returns a function that gives the settings for the event of a conversion or lead: the setting that names conversions
 * is replaced with the name of this event. Undefined: it has none. Throws a ZodError if a name is invalid.
 */
export const namedSettings = <Settings extends z.ZodObject>(
  schema: Settings,
  names: EventSettings | undefined,
  { settings, eventNames }: StoredSettings,
): ((event: AttributedEvent) => z.output<Settings> | undefined) => {
  const stored = storedSchema.parse(settings);
  const ofConversions = schema.parse(stored);
  if (names === undefined) return () => ofConversions;
  const named = (name: unknown) => schema.parse({ ...stored, [names.conversion]: name });
  const byName = new Map(
    Object.entries(eventNamesSchema.parse(eventNames)).map(([theirs, name]) => [theirs, named(name)]),
  );
  const leadName = storedSchema.parse(ofConversions)[names.lead ?? names.conversion];
  const ofLeads = leadName === undefined ? undefined : named(leadName);
  return (event) => {
    const about = attributedOf(event);
    return about.kind === 'lead' ? ofLeads : (byName.get(about.eventName ?? '') ?? ofConversions);
  };
};
