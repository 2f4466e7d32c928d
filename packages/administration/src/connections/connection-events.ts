import { type EventKind, eventKinds, eventNameSchema } from '@leadback/domain';
import { type PlatformDescriptor, takenName } from '@leadback/platforms';
import { z } from 'zod';
import type { ConnectionContent } from './connection-content.ts';
import { type FieldWords, wordOf } from './field-words.ts';

type Platform = Pick<PlatformDescriptor, 'title' | 'eventKinds' | 'eventSettings' | 'settingsSchema' | 'fields'>;

export interface ToldEvents {
  readonly eventKinds: readonly string[];
  readonly eventNames: Readonly<Record<string, string>>;
}

/** What is changed of the events that a connection is told of. */
export interface TypedEvents {
  readonly events?: readonly EventKind[] | undefined;
  /** What the platform calls conversions with an eventName of the partner. */
  readonly mapEvent?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly unmapEvent?: readonly string[] | undefined;
  /** Whether names that `mapEvent` does not give are removed. */
  readonly isWholeMapping?: boolean;
}

const expected =
  'expected the eventName of the partner, "=", and what the platform calls it, such as subscription=Subscribe';

const wrong = (path: readonly string[], message: string) =>
  new z.ZodError([{ code: 'custom', path: [...path], message, input: undefined }]);

/** What the platform calls an event, as it is stored: the setting for conversions, with this value. */
const namedAt = (platform: Platform, settings: ConnectionContent, [name, value]: readonly [string, string]) => {
  const { title, eventSettings, settingsSchema } = platform;
  const path = ['mapEvent', name];
  const partners = eventNameSchema.safeParse(name);
  if (partners.data === undefined) throw wrong(path, `eventName: ${partners.error?.issues[0]?.message ?? expected}`);
  if (eventSettings === undefined) throw wrong(path, `${title} has no names for events`);
  const { conversion: setting } = eventSettings;
  const parsed = settingsSchema.safeParse({ ...settings, [setting]: value });
  if (!parsed.success) throw wrong(path, parsed.error.issues[0]?.message ?? expected);
  return [partners.data, z.record(z.string(), z.unknown()).parse(parsed.data)[setting]] as const;
};

/** The event for adjustments must have a name of its own: the platform would count what was taken back as sold. */
const checkNames = (
  platform: Platform,
  words: FieldWords,
  settings: ConnectionContent,
  eventNames: ToldEvents['eventNames'],
  { mapEvent = [] }: TypedEvents,
): void => {
  const { title, eventSettings } = platform;
  const setting = eventSettings?.adjustment;
  const taken = takenName(eventSettings, { settings, eventNames });
  if (setting === undefined || taken === undefined) return;
  const [name, own] = [String(settings[setting]), wordOf(words, platform, setting)];
  if ('eventName' in taken && mapEvent.some(([theirs]) => theirs.trim() === taken.eventName)) {
    const message = `${title} knows ${name} as the event of ${own}; choose another name, or change ${own}`;
    throw wrong(['mapEvent', taken.eventName], message);
  }
  const other = 'setting' in taken ? wordOf(words, platform, taken.setting) : words.mapping(taken.eventName, name);
  throw wrong([setting], `${name} is the name of other events, too (${other}); choose one of its own, such as Refund`);
};

/** Merges what is changed into what a connection is told of. Throws a ZodError that names what to fix. */
export const readEvents = (
  platform: Platform,
  words: FieldWords,
  settings: ConnectionContent,
  typed: TypedEvents,
  before: ToldEvents = { eventKinds: ['conversion'], eventNames: {} },
): { eventKinds: EventKind[]; eventNames: Record<string, string> } => {
  const { events, mapEvent = [], unmapEvent = [], isWholeMapping = false } = typed;
  const told = [...(events ?? eventKinds.filter((kind) => before.eventKinds.includes(kind)))];
  const { title, eventSettings } = platform;
  const unknown = told.find((kind) => !platform.eventKinds.includes(kind));
  if (unknown !== undefined) throw wrong(['events'], `${title} has no ${unknown} event`);
  const leadSetting = eventSettings?.lead;
  if (told.includes('lead') && leadSetting !== undefined && settings[leadSetting] === undefined) {
    throw wrong(['events'], `${title} is told of leads only with ${wordOf(words, platform, leadSetting)}`);
  }
  const names = new Map(isWholeMapping ? [] : Object.entries(before.eventNames));
  if (unmapEvent.some((name) => !names.delete(name))) {
    throw wrong(['unmapEvent'], 'no such eventName is mapped; `connection list` shows those that are');
  }
  for (const pair of mapEvent) {
    const [name, value] = namedAt(platform, settings, pair);
    names.set(name, String(value));
  }
  const eventNames = Object.fromEntries(names);
  checkNames(platform, words, settings, eventNames, typed);
  return { eventKinds: told, eventNames };
};
