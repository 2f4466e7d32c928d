import { isDeepStrictEqual } from 'node:util';
import { type EventKind, eventKinds, eventNameSchema, type PlatformName } from '@leadback/domain';
import { type ConnectionField, type PlatformDescriptor, takenName } from '@leadback/platforms';
import { z } from 'zod';
import { ActionRefused } from '../people/access.ts';

/** How messages name what was typed: the command line by its options, the console by the labels of its form. */
export interface FieldTexts {
  readonly field: (field: Pick<ConnectionField, 'name' | 'texts' | 'isFile'>) => string;
  /** What the platform calls an event of the partner. */
  readonly mapping: (eventName: string, value: string) => string;
}

/** The name of a setting or credential in a message. */
const textOf = ({ field }: FieldTexts, { fields }: Pick<PlatformDescriptor, 'fields'>, name: string): string => {
  const known = fields.find((one) => one.name === name);
  return known ? field(known) : name;
};

type Content = Readonly<Record<string, unknown>>;
type Kinds = Pick<PlatformDescriptor, 'credentialKinds' | 'fields'>;

const isGiven = (content: Content, names: readonly string[]) =>
  names.some((name) => content[name] !== undefined && content[name] !== '');

/** `--service-account @key.json, or --client-id, --client-secret and --refresh-token` */
const eitherKind = (platform: Kinds, texts: FieldTexts): string => {
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return platform.credentialKinds
    .map((names) => list.format(names.map((name) => textOf(texts, platform, name))))
    .join(', or ');
};

/** The names of one kind; undefined if there are none of any. Throws an ActionRefused if there are some of two. */
const kindOf = (platform: Kinds, texts: FieldTexts, content: Content): readonly string[] | undefined => {
  const [given, other] = platform.credentialKinds.filter((names) => isGiven(content, names));
  if (other !== undefined) {
    throw new ActionRefused('invalid', `give one kind of credentials: ${eitherKind(platform, texts)}`);
  }
  return given;
};

/**
 * One message instead of one per missing credential; undefined if some were given, or if the platform has one kind of
 * credentials only.
 */
const noCredentials = (platform: Kinds, texts: FieldTexts, content: Content): z.core.$ZodIssue | undefined => {
  const [first = [], ...others] = platform.credentialKinds;
  if (others.length === 0 || kindOf(platform, texts, content) !== undefined) return undefined;
  const message = `there are no credentials; give ${eitherKind(platform, texts)}`;
  return { code: 'custom', path: first.slice(0, 1), message, input: undefined };
};

/** Removes stored credentials of one kind if credentials of another kind are typed. */
const withoutOtherKinds = (platform: Kinds, texts: FieldTexts, stored: Content, typed: Content): Content => {
  const kind = kindOf(platform, texts, typed);
  const replaced = kind === undefined ? [] : platform.credentialKinds.flat().filter((name) => !kind.includes(name));
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !replaced.includes(name)));
};

/** Settings and credentials together; no name is used for both. */
export type ConnectionContent = Readonly<Record<string, unknown>>;

const contentSchema = z.record(z.string(), z.unknown());

/** Settings or credentials, as they are stored. */
export const contentOf = (stored: unknown): ConnectionContent => contentSchema.parse(stored);

/**
 * Merges typed values into stored content and validates the result; an empty text removes a value. Throws a ZodError
 * that names every value that is missing, invalid, or of another platform.
 */
export const parseContent = (
  platform: PlatformDescriptor,
  texts: FieldTexts,
  typed: ConnectionContent,
  before: ConnectionContent = {},
): { readonly settings: ConnectionContent; readonly credentials: ConnectionContent } => {
  const { title, settingsSchema, credentialsSchema } = platform;
  const stored = withoutOtherKinds(platform, texts, before, typed);
  const content = Object.fromEntries(Object.entries({ ...stored, ...typed }).filter(([, value]) => value !== ''));
  const settings = settingsSchema.pipe(contentSchema).safeParse(content);
  const credentials = credentialsSchema.pipe(contentSchema).safeParse(content);
  if (!settings.success || !credentials.success) {
    const none = noCredentials(platform, texts, content);
    const ofCredentials = none ? [none] : credentials.error?.issues;
    throw new z.ZodError([...(settings.error?.issues ?? []), ...(ofCredentials ?? [])]);
  }
  const known = { ...stored, ...settings.data, ...credentials.data };
  const foreign = Object.keys(typed).filter((name) => !Object.hasOwn(known, name) && typed[name] !== '');
  if (foreign.length > 0) {
    const message = `${title} has no such setting`;
    throw new z.ZodError(foreign.map((name) => ({ code: 'custom', path: [name], message, input: typed })));
  }
  return { settings: settings.data, credentials: credentials.data };
};

type Platform = Pick<PlatformDescriptor, 'title' | 'eventKinds' | 'eventSettings' | 'settingsSchema' | 'fields'>;

interface ReceivedEvents {
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
  texts: FieldTexts,
  settings: ConnectionContent,
  eventNames: ReceivedEvents['eventNames'],
  { mapEvent = [] }: TypedEvents,
): void => {
  const { title, eventSettings } = platform;
  const setting = eventSettings?.adjustment;
  const taken = takenName(eventSettings, { settings, eventNames });
  if (setting === undefined || taken === undefined) return;
  const [name, own] = [String(settings[setting]), textOf(texts, platform, setting)];
  if ('eventName' in taken && mapEvent.some(([theirs]) => theirs.trim() === taken.eventName)) {
    const message = `${title} knows ${name} as the event of ${own}; choose another name, or change ${own}`;
    throw wrong(['mapEvent', taken.eventName], message);
  }
  const other = 'setting' in taken ? textOf(texts, platform, taken.setting) : texts.mapping(taken.eventName, name);
  throw wrong([setting], `${name} is the name of other events, too (${other}); choose one of its own, such as Refund`);
};

/** Merges what is changed into what a connection is told of. Throws a ZodError that names what to fix. */
export const parseEvents = (
  platform: Platform,
  texts: FieldTexts,
  settings: ConnectionContent,
  typed: TypedEvents,
  before: ReceivedEvents = { eventKinds: ['conversion'], eventNames: {} },
): { eventKinds: EventKind[]; eventNames: Record<string, string> } => {
  const { events, mapEvent = [], unmapEvent = [], isWholeMapping = false } = typed;
  const kinds = [...(events ?? eventKinds.filter((kind) => before.eventKinds.includes(kind)))];
  const { title, eventSettings } = platform;
  const unknown = kinds.find((kind) => !platform.eventKinds.includes(kind));
  if (unknown !== undefined) throw wrong(['events'], `${title} has no ${unknown} event`);
  const leadSetting = eventSettings?.lead;
  if (kinds.includes('lead') && leadSetting !== undefined && settings[leadSetting] === undefined) {
    throw wrong(['events'], `${title} is told of leads only with ${textOf(texts, platform, leadSetting)}`);
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
  checkNames(platform, texts, settings, eventNames, typed);
  return { eventKinds: kinds, eventNames };
};

/** What is typed for a connection that does not exist yet. */
export interface TypedConnection {
  readonly platform: PlatformName;
  readonly content: ConnectionContent;
  readonly receives: TypedEvents;
}

interface DescribedContent extends ReceivedEvents {
  readonly label: string | null;
  readonly settings: ConnectionContent;
  readonly credentials: ConnectionContent;
}

interface Difference {
  readonly before: unknown;
  readonly after: unknown;
}

type Differences = Readonly<Record<string, Difference>>;

const namesOf = (before: object, after: object) => [...new Set([...Object.keys(before), ...Object.keys(after)])];

const differences = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    namesOf(before, after)
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );

const shown = (value: unknown, whenSet: string) => (value === null ? null : whenSet);

/** Says which credentials were set, replaced or removed, and none of their values. */
const ofCredentials = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    Object.entries(differences(before, after)).map(([name, { before: former, after: now }]) => [
      name,
      { before: shown(former, 'set'), after: shown(now, former === null ? 'set' : 'replaced') },
    ]),
  );

/** What differs, field by field, for the audit log. */
export const describedChange = (before: DescribedContent, after: DescribedContent): Differences => ({
  ...differences({ label: before.label }, { label: after.label }),
  ...differences(before.settings, after.settings),
  ...ofCredentials(before.credentials, after.credentials),
  ...differences(
    { events: before.eventKinds.toSorted(), eventNames: before.eventNames },
    { events: after.eventKinds.toSorted(), eventNames: after.eventNames },
  ),
});
