import { type EventKind, eventKinds, eventNameSchema } from '@leadback/domain';
import { type PlatformDescriptor, takenName } from '@leadback/platforms';
import { z } from 'zod';
import type { ConnectionContent } from './connection-content.ts';
import { optionFlag } from './option-flag.ts';

export const eventOptions = [
  [
    '--events <kinds>',
    'what is told to the platform, separated by commas: conversion, and lead (a client is registered); default conversion',
  ],
] as const;

export const mappingOptions = [
  [
    '--map-event <name=value...>',
    "what the platform calls conversions with this eventName of the partner: the event name, conversion action id, conversion rule id or conversion name that replaces the connection's own",
  ],
  ['--unmap-event <name...>', 'removes what the platform calls conversions with this eventName'],
] as const;

const kinds = `expected ${eventKinds.join(', ')}, or both separated by a comma`;
const mapping =
  'expected the eventName of the partner, "=", and what the platform calls it, such as subscription=Subscribe';

export const kindsSchema = z
  .string(kinds)
  .transform((list) => [...new Set(list.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(eventKinds, kinds)));

export const mappingSchema = z
  .array(z.string().regex(/^[^=]*[^=\s][^=]*=./, mapping))
  .transform((all) =>
    all.map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  );

interface Events {
  readonly eventKinds: readonly string[];
  readonly eventNames: Readonly<Record<string, string>>;
}

interface TypedEvents {
  readonly events?: readonly EventKind[] | undefined;
  readonly mapEvent?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly unmapEvent?: readonly string[] | undefined;
}

const wrong = (option: string, message: string) =>
  new z.ZodError([{ code: 'custom', path: [option], message, input: undefined }]);

/** What the platform calls an event, as it is stored: the setting for conversions, with this value. */
const namedAt = (platform: Platform, settings: ConnectionContent, [name, value]: readonly [string, string]) => {
  const { title, eventSettings, settingsSchema } = platform;
  const partners = eventNameSchema.safeParse(name);
  if (partners.data === undefined)
    throw wrong('mapEvent', `eventName: ${partners.error?.issues[0]?.message ?? mapping}`);
  if (eventSettings === undefined) throw wrong('mapEvent', `${title} has no names for events`);
  const { conversion: setting } = eventSettings;
  const parsed = settingsSchema.safeParse({ ...settings, [setting]: value });
  if (!parsed.success)
    throw wrong('mapEvent', z.prettifyError(parsed.error).split('\n')[0]?.replace(/^✖ /, '') ?? mapping);
  return [partners.data, z.record(z.string(), z.unknown()).parse(parsed.data)[setting]] as const;
};

/** The event for adjustments must have a name of its own: the platform would count what was taken back as sold. */
const checkNames = (
  { title, eventSettings }: Platform,
  settings: ConnectionContent,
  eventNames: Readonly<Record<string, string>>,
  { mapEvent = [] }: TypedEvents,
): void => {
  const setting = eventSettings?.adjustment;
  const taken = takenName(eventSettings, { settings, eventNames });
  if (setting === undefined || taken === undefined) return;
  const [name, flag] = [String(settings[setting]), optionFlag(setting)];
  if ('eventName' in taken && mapEvent.some(([theirs]) => theirs.trim() === taken.eventName)) {
    throw wrong('mapEvent', `${title} knows ${name} as the event of ${flag}; choose another name, or change ${flag}`);
  }
  const other = 'setting' in taken ? optionFlag(taken.setting) : `--map-event ${taken.eventName}=${name}`;
  throw wrong(setting, `${name} is the name of other events, too (${other}); choose one of its own, such as Refund`);
};

type Platform = Pick<PlatformDescriptor, 'title' | 'eventKinds' | 'eventSettings' | 'settingsSchema'>;

/** Merges typed options into what a connection is told of. Throws a ZodError that names the option to fix. */
export const readEvents = (
  platform: Platform,
  settings: ConnectionContent,
  typed: TypedEvents,
  before: Events = { eventKinds: ['conversion'], eventNames: {} },
): { eventKinds: EventKind[]; eventNames: Record<string, string> } => {
  const { events, mapEvent = [], unmapEvent = [] } = typed;
  const told = [...(events ?? eventKinds.filter((kind) => before.eventKinds.includes(kind)))];
  const { title, eventSettings } = platform;
  const unknown = told.find((kind) => !platform.eventKinds.includes(kind));
  if (unknown !== undefined) throw wrong('events', `${title} has no ${unknown} event`);
  const leadSetting = eventSettings?.lead;
  if (told.includes('lead') && leadSetting !== undefined && settings[leadSetting] === undefined) {
    throw wrong('events', `${title} is told of leads only with ${optionFlag(leadSetting)}`);
  }
  const names = new Map(Object.entries(before.eventNames));
  const missing = unmapEvent.find((name) => !names.delete(name));
  if (missing !== undefined)
    throw wrong('unmapEvent', 'no such eventName is mapped; `connection list` shows those that are');
  for (const pair of mapEvent) {
    const [name, value] = namedAt(platform, settings, pair);
    names.set(name, String(value));
  }
  const eventNames = Object.fromEntries(names);
  checkNames(platform, settings, eventNames, typed);
  return { eventKinds: told, eventNames };
};
