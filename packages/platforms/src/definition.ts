import {
  attributedOf,
  type AttributedEvent,
  type DeliverableEvent,
  type MatchKeySet,
  type AttributedAdjustment,
  type AttributedConversion,
  type AttributedLead,
  consentWithdrawn,
  type Currency,
  eventAgeMaxMs,
  eventTooOld,
  isLimited,
  type Sharing,
  type SkipReason,
  type EventKind,
  eventKinds,
  type Language,
} from '@leadback/domain';
import { z, ZodError } from 'zod';
import {
  type PlatformResponse,
  type MakeRequest,
  type Reply,
  type RequestContent,
  type Codes,
  dayMs,
  isRemedy,
  type Remedy,
} from './exchange.ts';
import { type Example, type ExampleParts, exampleParts } from './examples.ts';
import { withNetValue, withoutLaterClicks, withoutValue } from './event-parts.ts';
import { type FieldText, fieldTextsOf, type PlatformTexts } from './texts.ts';

/** The settings that say what the platform calls an event: by a name, or by the id of a conversion action. */
interface EventSettings<Setting extends string = string> {
  readonly conversion: Setting;
  /** Without a value for it, a connection is told of no leads. */
  readonly lead?: Setting;
  /** Names an event of its own for adjustments, which nothing else may have. */
  readonly adjustment?: Setting;
}

/** Settings and event names of a connection, as they are stored. */
interface StoredSettings {
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
const namedSettings = <Settings extends z.ZodObject>(
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

/** One event in a platform's own format. */
export type PlatformEvent = Readonly<Record<string, unknown>>;

export type Prepared =
  /** `keys`: by which the platform can match the event. `note`: what the platform is not told in full. */
  | { readonly kind: 'event'; readonly event: PlatformEvent; readonly keys: MatchKeySet; readonly note?: string }
  /** It occurs only later: to be prepared again after `inMs`. */
  | { readonly kind: 'early'; readonly inMs: number }
  /** There is nothing to send; not an error. */
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** test: the platform only validates the event or shows it separately, and does not count it. */
export type SendingMode = 'live' | 'test';

/** What a platform reported later about events that it had accepted. */
export interface Finding {
  /**
   * failed: it could not use them. too_old: it could not use them because they occurred too long ago. again: to be sent
   * again after a pause. refused: it uses no event of this connection until the operator fixes it. settings: it did not
   * use them because of the account's settings, but may use others. warning: it used them nevertheless.
   */
  readonly meaning: 'failed' | 'too_old' | 'again' | 'refused' | 'settings' | 'warning';
  readonly reason: string;
  /** How many. */
  readonly events: number | 'all' | 'some';
  /** Their positions in the request. Missing: the platform does not name them. */
  readonly indices?: readonly number[];
  readonly pauseMs?: number;
}

/** The status of a request that the platform accepted. */
export type RequestStatus =
  /** `events`: the number of events in the request; 0 if the platform does not report it. */
  | { readonly kind: 'final'; readonly events: number; readonly findings: readonly Finding[] }
  | { readonly kind: 'processing' }
  /** Could not be retrieved now. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfterMs?: number };

/** One account's access to a platform. */
export interface PlatformAccess {
  /**
   * Builds the event, or returns the reason why there is nothing to send. The same input always gives the same
   * event. `atMs`: the current time by the caller's clock; events that are too old or early are found by it.
   */
  prepare(event: DeliverableEvent, atMs: number): Prepared;
  /** Missing: the platform is told of no adjustments. */
  readonly adjustments?: {
    /** See `AdjustmentDefinition`. */
    readonly overwrite: boolean;
    /** Whether the platform reports later if it used an event. */
    readonly areConfirmed: boolean;
    /** Whether the conversion of an event is not where the event goes, if it was sent with these settings, as stored. */
    wentElsewhere(event: AttributedEvent, former: StoredSettings): boolean;
  };
  /**
   * Waits for the next slot of the platform's quota and takes it, to be called before each `send`. Returns `undefined`
   * then, or the milliseconds after which to retry. Missing if the platform has no quota.
   */
  readonly takeSlot?: () => Promise<number | undefined>;
  /** Events for which it differs must be sent in different requests. Missing: all events may share one. */
  readonly requestKeyOf?: ((event: PlatformEvent) => string) | undefined;
  /**
   * Sends 1 to `limits.eventsMax` events in one request. Never throws because of the network or the platform. A second
   * request, for example with a new access token, takes a quota slot of its own.
   */
  send(events: readonly PlatformEvent[]): Promise<PlatformResponse>;
  /**
   * Sends an event that the platform only validates or shows separately, to check whether live events would be accepted;
   * a platform without tests gets a live event that matches nobody. Takes a quota slot itself.
   */
  check(): Promise<PlatformResponse>;
  /** To compare the platform with the sandbox. Missing: it has no tests. */
  readonly examples?: {
    all(): readonly Example[];
    /** Sends one as a test, whatever the mode. Takes a quota slot itself. */
    send(example: Example): Promise<PlatformResponse>;
  };
  /**
   * Retrieves the status of a request, by the id that `delivered` returned. Takes a quota slot itself. Never throws
   * because of the network or the platform.
   */
  requestStatus?(request: string): Promise<RequestStatus>;
}

/** How many requests a platform accepts per project of this installation, for all accounts together. */
export interface Quota {
  /** The same for all that share the quota. */
  readonly name: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** The time zone in which the platform's day begins: an IANA name. */
  readonly timeZone: string;
}

/**
 * Waits for the next quota slot and takes it. Returns `undefined` then, or the milliseconds after which to retry if the
 * slot is too far ahead.
 */
export type TakeSlot = (quota: Quota) => Promise<number | undefined>;

/** The dependencies of every platform. */
export interface PlatformContext {
  readonly request: MakeRequest;
  readonly post: (content: RequestContent) => Promise<Reply>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly requestTimeoutMs: number;
  readonly takeSlot: TakeSlot;
}

/** The URL of an API, a setting of the environment. `PLATFORM_SANDBOX_URL` replaces all that are not set. */
export interface PlatformSetting {
  readonly schema: z.ZodType<string>;
  /** That of the real platform. */
  readonly standard: string;
}

/**
 * The version of a platform's API that this release is written for and tested with, and from when on the platform may refuse
 * it. No setting: a later one may want other fields, so an upgrade brings it.
 */
export interface ApiVersion {
  readonly version: string;
  /** The earliest day. Undefined: the platform has announced no end, nor ends its versions after a known time. */
  readonly endsAt: Date | undefined;
  /** Where the platform tells of its versions and their ends. */
  readonly source: string;
}

/** An upgrade takes weeks where it needs a test and an approval. */
export const versionWarnDays = 90;

/** Whether the platform ends this version within `versionWarnDays`, or has ended it. */
export const isEnding = (version: ApiVersion, nowMs: number): version is ApiVersion & { readonly endsAt: Date } =>
  version.endsAt !== undefined && version.endsAt.getTime() - nowMs < versionWarnDays * dayMs;

/** The URL of an API of the platform. */
export const platformUrl = (standard: string): PlatformSetting => ({
  schema: z.url().transform((url) => url.replace(/\/+$/, '')),
  standard,
});

/** Settings as an app read them, with others beside those of platforms. */
export type SettingsRead = Readonly<Record<string, unknown>>;

/** The setting itself, or else the URL of the sandbox, or else the real platform. Throws a ZodError if it is invalid. */
const readPlatformSetting = (name: string, { schema, standard }: PlatformSetting, settings: SettingsRead): string =>
  schema.parse(settings[name] ?? settings['PLATFORM_SANDBOX_URL'] ?? standard);

interface PlatformLimits {
  /** The maximum number of events per request and mode. */
  readonly eventsMax: Readonly<Record<SendingMode, number>>;
  /** The maximum number of concurrent requests per account. */
  readonly requestsMax: number;
  /** The maximum number of concurrent requests of all connections of an account together. Default: no limit. */
  readonly requestsMaxOfAccount?: number;
  /** Older events are skipped. */
  readonly eventAgeMaxMs: number;
  /** How long after a request to check its status first. Missing: the platform reports none. */
  readonly requestStatusAfterMs?: number;
}

/** How a request is sent as a test; `code` is missing if the platform has no test codes. */
interface TestMark {
  readonly code?: string | undefined;
}

/** Requests of one account. */
interface Transport {
  /**
   * Takes no quota slot for its first request. `test` is missing for live events, which must never be marked. A platform
   * without tests ignores it: its check is a live event that matches nobody.
   */
  readonly send: (events: readonly PlatformEvent[], test?: TestMark) => Promise<PlatformResponse>;
  /** Takes no quota slot for its first request. */
  readonly requestStatus?: (request: string) => Promise<RequestStatus>;
  /** Missing if the platform has no quota. */
  readonly takeSlot?: NonNullable<PlatformAccess['takeSlot']>;
  /** Missing if checks of request statuses have no quota. */
  readonly takeStatusSlot?: NonNullable<PlatformAccess['takeSlot']>;
}

/** `atMs`: the current time by the caller's clock. */
type BuildEvent<Attributed, Settings> = (event: Attributed, settings: Settings, atMs: number) => Prepared;

/** How a platform is told that a conversion has another total. */
interface AdjustmentDefinition<Settings> {
  /** Builds the event of an adjustment; by then, its conversion was delivered. The settings are those of the conversion. */
  readonly event: BuildEvent<AttributedAdjustment, Settings>;
  /** Whether the last event counts, so that only the last adjustment is told. If not, each adds to those before. */
  readonly overwrite: boolean;
}

/** The credentials of a connection, as they are stored when a platform asks for them. */
export interface StoredCredentials<Credentials = unknown> {
  readonly connectionId: number;
  /** Undefined: somebody has entered other credentials since the connection was opened. */
  readonly read: () => Promise<
    | {
        readonly credentials: Credentials;
        /** Stores those that the platform has issued instead; they are committed when it returns. */
        readonly keep: (renewed: Credentials) => Promise<void>;
      }
    | undefined
  >;
}

/** Everything about a platform; `definePlatform` adds what all platforms have in common. */
interface PlatformDefinition<
  Setting extends string,
  Settings extends z.ZodObject,
  Kinds extends readonly z.ZodObject[],
> {
  readonly name: string;
  /** The display name. */
  readonly title: string;
  readonly texts: PlatformTexts;
  /** The URLs of its APIs, by the setting of the environment. */
  readonly env: Readonly<Record<Setting, PlatformSetting>>;
  readonly apiVersion: ApiVersion;
  /** Public data of a connection (ids, names). Each field has a `meta`: see `ConnectionField`. */
  readonly settings: Settings;
  /** Data that is stored encrypted (tokens, secrets): the kinds of credentials, of which a connection has one, whole. */
  readonly credentials: Kinds;
  /** Default of the age: what is known of the platform by its name. */
  readonly limits: Omit<PlatformLimits, 'eventAgeMaxMs'> & Partial<PlatformLimits>;
  readonly codes: Codes;
  /** Whether conversions of visitors who refused to share their data are skipped. */
  readonly needsConsent: boolean;
  /**
   * Whether an event can be marked for counting only. If not, and consent is needed, conversions of visitors who
   * limited the use of their data are skipped.
   */
  readonly canLimitUse: boolean;
  /** Whether the platform validates tests or shows them separately. If not, tests are skipped. */
  readonly takesTests: boolean;
  /**
   * Build an event, by its kind; by then, its time and the visitor's consent have been checked. Events of a kind without a
   * function are skipped. The settings name the event: see `eventSettings`.
   */
  readonly events: {
    readonly conversion: BuildEvent<AttributedConversion, z.output<Settings>>;
    readonly lead?: BuildEvent<AttributedLead, z.output<Settings>>;
  };
  /**
   * Where the platform keeps a conversion, as its people name it: two connections to one destination would count each sale twice,
   * and an adjustment of a conversion that was sent elsewhere is skipped.
   */
  readonly destinationOf: (settings: z.output<Settings>) => string;
  /** Missing: the platform is told of no adjustments, which are skipped. */
  readonly adjustments?: AdjustmentDefinition<z.output<Settings>>;
  /** Missing: the platform takes all currencies, or does not say which. */
  readonly currencies?: {
    readonly taken: readonly Currency[];
    /** Whether a conversion in another currency is sent without its value; otherwise it is skipped. */
    readonly sendsOthers: (settings: z.output<Settings>) => boolean;
  };
  /** The settings that name events, if events have names at the platform; see `EventSettings`. */
  readonly eventSettings?: EventSettings<Extract<keyof z.output<Settings>, string>>;
  /**
   * Events for which it differs are sent in different requests: what the platform reports of a request may concern all
   * its events. Missing: all events may share one.
   */
  readonly requestKeyOf?: (event: PlatformEvent) => string;
  /**
   * An event without personal data that no campaign counts, to check a connection. It is a live event if the platform
   * takes no tests.
   */
  readonly checkEvent: (nowMs: number) => PlatformEvent;
  /** Events that show the rules of the platform, and what the sandbox answers to each; a sale first. Missing: it has no tests. */
  readonly examples?: (parts: ExampleParts<z.output<Settings>>) => readonly Example[];
  /** The code under which the platform shows tests; tests without one are skipped. Missing: it has no codes. */
  readonly testCodeOf?: (settings: z.output<Settings>) => string | undefined;
  /** The platform renews credentials: how many days they last since they were entered or renewed. Missing: it does not. */
  readonly credentialsDays?: number;
  /** The settings and credentials of a connection for tests; different for each `n` if they share a quota. */
  readonly sample: (n: number) => {
    readonly settings: z.input<Settings>;
    readonly credentials: z.input<Kinds[number]>;
  };
  /** Called once per process; the returned function once per connection and mode. */
  readonly connect: (
    env: (name: Setting) => string,
    context: PlatformContext,
  ) => (
    settings: z.output<Settings>,
    credentials: z.output<Kinds[number]>,
    stored: StoredCredentials<z.output<Kinds[number]>> | undefined,
  ) => Transport;
}

type SettingsOf<Settings> = (event: AttributedEvent) => Settings | undefined;

/**
 * Returns a function that compares where an event goes with where it went with other settings. Settings that are invalid
 * by now say nothing of that: then the event went elsewhere.
 */
const comparingDestinations =
  <Settings>(
    destinationOf: (settings: Settings) => string,
    now: SettingsOf<Settings>,
    settingsOf: (former: StoredSettings) => SettingsOf<Settings>,
  ) =>
  (event: AttributedEvent, former: StoredSettings): boolean => {
    const at = (named: SettingsOf<Settings>) => {
      const settings = named(event);
      return settings && destinationOf(settings);
    };
    try {
      return at(settingsOf(former)) !== at(now);
    } catch (error) {
      if (error instanceof ZodError) return true;
      throw error;
    }
  };

const noteSchema = z.strictObject({
  /** What it is and where to find it, for options and documents. */
  help: z.string().min(1),
  /** What is typed for it, in one word: `id`, `token`. */
  value: z.string().min(1),
  isSecret: z.boolean().default(false),
  /** Its value is the JSON content of a file. */
  isFile: z.boolean().default(false),
});

/** A setting or credential of a connection, as options, forms and documents show it. */
export interface ConnectionField extends z.infer<typeof noteSchema> {
  readonly name: string;
  /** For forms. */
  readonly texts: Readonly<Record<Language, FieldText>>;
  readonly isRequired: boolean;
  /** All values that it may have, first what is meant without one; empty: any text of its form. */
  readonly choices: readonly string[];
  /** Its value if none is typed; undefined: it has none then. */
  readonly standard: string | undefined;
}

/** All values that a field may have; empty: any text of its form. */
export const choicesOf = (field: z.core.$ZodType): readonly string[] => {
  const inner = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
};

/** As it is read if nothing is typed. */
const untyped = (field: z.core.$ZodType) => {
  const { success, data } = z.safeParse(field, undefined);
  return { isRequired: !success, standard: typeof data === 'string' ? data : undefined };
};

/** The fields of a schema, from the `meta` and the texts of each. Throws if one has none. */
const connectionFields = (schema: z.ZodObject, texts: PlatformTexts): ConnectionField[] =>
  Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => ({
    name,
    ...untyped(field),
    choices: choicesOf(field),
    ...noteSchema.parse(z.globalRegistry.get(field), { error: () => `${name}: has no help or value` }),
    texts: fieldTextsOf(name, texts),
  }));

/**
 * The schema of credentials that come in several kinds. Which fields are given selects the kind; without any, the last
 * one names what is missing.
 */
const oneKindOf = <Kind extends z.ZodObject>(kinds: readonly Kind[]): z.ZodType<z.output<Kind>> =>
  // not z.union: its single issue would not name the missing field
  z.looseObject({}).transform((given, context): z.output<Kind> => {
    const kind =
      kinds.find(({ shape }) => Object.keys(shape).some((name) => given[name] !== undefined)) ?? kinds.at(-1);
    const read = kind?.safeParse(given);
    if (read?.success) return read.data;
    for (const { path, message } of read?.error.issues ?? []) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });

/** Throws if there is nothing to send. */
export const requireEvent = (prepared: Prepared): PlatformEvent => {
  if (prepared.kind === 'event') return prepared.event;
  throw new TypeError(prepared.kind === 'skipped' ? prepared.reason : prepared.kind);
};

/** The platform has no way to be told of an event. */
export const notSupported: Prepared = { kind: 'skipped', reason: 'not_supported' };

/** The event for adjustments has the name of another event, which the platform counts as a sale or a lead. */
const nameTaken: Prepared = { kind: 'skipped', reason: 'refund_event_taken' };

/** The connection has no name for Lead events. */
const noLeadEvent: Prepared = { kind: 'skipped', reason: 'no_lead_event' };

// platforms with test codes accept any code; this one is used for checks only
const checkCode = 'LEADBACK';

const skipped = (reason: SkipReason): Prepared => ({ kind: 'skipped', reason });

interface AccessOptions {
  readonly mode: SendingMode;
  readonly limits: Pick<PlatformLimits, 'eventAgeMaxMs'>;
  readonly needsConsent: boolean;
  readonly canLimitUse: boolean;
  readonly takesTests: boolean;
  readonly needsTestCode: boolean;
  readonly testCode: string | undefined;
  readonly currencies:
    | { readonly taken: readonly Currency[]; readonly sendsOthers: boolean; readonly title: string }
    | undefined;
  readonly build: (event: AttributedEvent, atMs: number) => Prepared;
  readonly adjustments: Omit<NonNullable<PlatformAccess['adjustments']>, 'areConfirmed'> | undefined;
  readonly checkEvent: () => PlatformEvent;
  readonly examples: (() => readonly Example[]) | undefined;
  readonly requestKeyOf: PlatformAccess['requestKeyOf'];
}

/** In a currency that the platform does not take. */
const buildInOtherCurrency = (
  build: AccessOptions['build'],
  event: AttributedEvent,
  { sendsOthers, title }: NonNullable<AccessOptions['currencies']>,
  atMs: number,
): Prepared => {
  if (event.kind !== 'conversion' || !sendsOthers) return skipped('currency_not_supported');
  const built = buildWithEarlierClicks(build, withoutValue(event), atMs);
  return built.kind === 'event' ? { ...built, note: `without value: ${title} does not take ${event.currency}` } : built;
};

/** With the clicks alone that may have caused the event. */
const buildWithEarlierClicks = (build: AccessOptions['build'], event: AttributedEvent, atMs: number): Prepared => {
  const about = attributedOf(event);
  const earlier = withoutLaterClicks(about);
  if (earlier === undefined) return build(event, atMs);
  const built = build(
    'conversion' in event && earlier.kind === 'conversion' ? { ...event, conversion: earlier } : earlier,
    atMs,
  );
  return built.kind === 'skipped' && built.reason === 'no_match_keys' ? skipped('before_click') : built;
};

/** One account's access: adds consent, time, tests and quota, which are the same for all platforms. */
const openAccess = (
  { send, takeSlot, takeStatusSlot, requestStatus }: Transport,
  {
    mode,
    limits,
    needsTestCode,
    testCode,
    currencies,
    build,
    adjustments,
    checkEvent,
    examples,
    requestKeyOf,
    ...rules
  }: AccessOptions,
): PlatformAccess => {
  const test = mode === 'test' ? { code: testCode } : undefined;

  const mayShare = (sharing: Sharing) =>
    !rules.needsConsent || (sharing !== 'refused' && (rules.canLimitUse || !isLimited(sharing)));

  const prepare = (event: DeliverableEvent, atMs: number): Prepared => {
    if (event.kind === 'webhook') return notSupported;
    const { sharing } = attributedOf(event).lead;
    if (sharing === 'withdrawn') return skipped(consentWithdrawn);
    if (!mayShare(sharing)) return skipped('consent');
    if (mode === 'test' && !rules.takesTests) return skipped('no_test_mode');
    if (mode === 'test' && needsTestCode && testCode === undefined) return skipped('no_test_event_code');
    const ageMs = atMs - event.occurredAt.getTime();
    if (ageMs < 0) return { kind: 'early', inMs: -ageMs };
    if (ageMs > limits.eventAgeMaxMs) return skipped(eventTooOld);
    const about = attributedOf(event);
    const isOther = about.kind === 'conversion' && currencies?.taken.includes(about.currency) === false;
    return currencies && isOther
      ? buildInOtherCurrency(build, event, currencies, atMs)
      : buildWithEarlierClicks(build, event, atMs);
  };

  const sendAsTest = async (event: PlatformEvent): Promise<PlatformResponse> => {
    const retryAfterMs = await takeSlot?.();
    if (retryAfterMs !== undefined) {
      return { outcome: { kind: 'postponed', reason: 'quota', retryAfterMs }, httpStatus: null, body: null };
    }
    return send([event], { code: testCode ?? checkCode });
  };

  const statusOf = (retrieve: NonNullable<Transport['requestStatus']>) => ({
    async requestStatus(request: string): Promise<RequestStatus> {
      const retryAfterMs = await takeStatusSlot?.();
      return retryAfterMs === undefined ? retrieve(request) : { kind: 'unknown', reason: 'quota', retryAfterMs };
    },
  });

  return {
    prepare,
    ...(adjustments && {
      adjustments: { ...adjustments, areConfirmed: requestStatus !== undefined && mode === 'live' },
    }),
    send: (events) => send(events, test),
    // marked as a test in addition to its name; a platform without tests takes it as a live event, which matches nobody
    check: () => sendAsTest(checkEvent()),
    ...(examples && { examples: { all: examples, send: ({ event }) => sendAsTest(event) } }),
    ...(takeSlot && { takeSlot }),
    ...(requestKeyOf && { requestKeyOf }),
    ...(requestStatus && statusOf(requestStatus)),
  };
};

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

/**
 * Takes settings, credentials and event names as stored. Throws a ZodError if they do not match the schemas.
 * `eventNames`: see `eventNamesSchema`; default: none. Without `stored`, credentials that the platform renews are not stored.
 */
type OpenAccess = (
  settings: unknown,
  credentials: unknown,
  mode: SendingMode,
  eventNames?: unknown,
  stored?: StoredCredentials,
) => PlatformAccess;

const parsedBy = <Credentials>(
  schema: z.ZodType<Credentials>,
  { connectionId, read }: StoredCredentials,
): StoredCredentials<Credentials> => ({
  connectionId,
  async read() {
    const found = await read();
    return found && { ...found, credentials: schema.parse(found.credentials) };
  },
});

/** A platform, whatever its own types. */
export interface PlatformDescriptor
  extends Pick<
    PlatformDefinition<string, z.ZodObject, readonly z.ZodObject[]>,
    'name' | 'title' | 'texts' | 'needsConsent' | 'canLimitUse' | 'takesTests' | 'credentialsDays' | 'sample'
  > {
  readonly env: Readonly<Record<string, PlatformSetting>>;
  readonly apiVersion: ApiVersion;
  readonly limits: PlatformLimits;
  readonly codes: Codes;
  /** How an operator fixes a connection that was `refused` for this reason. */
  readonly remedyFor: (reason: string) => Remedy;
  /** Settings first; no name is used for both a setting and a credential. */
  readonly fields: readonly ConnectionField[];
  /** The names of the credentials of each kind; a connection has one kind. */
  readonly credentialKinds: readonly (readonly string[])[];
  readonly settingsSchema: z.ZodType;
  /** Where stored settings lead; undefined if they are invalid by now. */
  readonly destinationOf: (settings: unknown) => string | undefined;
  readonly credentialsSchema: z.ZodType;
  readonly eventSettings: EventSettings | undefined;
  /** The kinds of events that it can be told of, beside adjustments. */
  readonly eventKinds: readonly EventKind[];
  readonly connect: (settings: SettingsRead, context: PlatformContext) => OpenAccess;
}

/** A platform that is ready to send. */
export interface Platform extends PlatformDescriptor {
  readonly access: OpenAccess;
}

/** Completes a platform: parses what is stored, and applies consent, time, tests and quota to every event. */
export const definePlatform = <
  Setting extends string,
  Settings extends z.ZodObject,
  const Kinds extends readonly z.ZodObject[],
>(
  definition: PlatformDefinition<Setting, Settings, Kinds>,
): PlatformDescriptor => {
  const { name, title, texts, env, codes, needsConsent, canLimitUse, takesTests } = definition;
  const { events, adjustments, currencies, eventSettings, credentialsDays } = definition;
  const { sample, testCodeOf, requestKeyOf, examples } = definition;
  const limits: PlatformLimits = { eventAgeMaxMs: eventAgeMaxMs(name), ...definition.limits };
  const kinds: readonly Kinds[number][] = definition.credentials;
  const credentialsSchema = oneKindOf(kinds);
  return {
    name,
    title,
    texts,
    env,
    limits,
    codes,
    needsConsent,
    canLimitUse,
    takesTests,
    ...(credentialsDays !== undefined && { credentialsDays }),
    sample,
    remedyFor: (reason) => {
      const meaning = codes.meaningOf(reason);
      return isRemedy(meaning) ? meaning : codes.otherRemedy;
    },
    fields: [definition.settings, ...kinds].flatMap((schema) => connectionFields(schema, texts)),
    credentialKinds: kinds.map(({ shape }) => Object.keys(shape)),
    settingsSchema: definition.settings,
    destinationOf: (settings) => {
      const { data } = definition.settings.safeParse(settings);
      return data && definition.destinationOf(data);
    },
    credentialsSchema,
    eventSettings,
    eventKinds: events.lead === undefined ? ['conversion'] : eventKinds,
    apiVersion: definition.apiVersion,
    connect: (read, context) => {
      const open = definition.connect((setting) => readPlatformSetting(setting, env[setting], read), context);
      return (storedSettings, storedCredentials, mode, eventNames = {}, found) => {
        const settings = definition.settings.parse(storedSettings);
        const namedBy = (former: StoredSettings) => namedSettings(definition.settings, eventSettings, former);
        const settingsFor = namedBy({ settings: storedSettings, eventNames });
        const isNet = storedSchema.parse(settings)['value'] === 'net';
        const isTaken = takenName(eventSettings, { settings, eventNames }) !== undefined;
        const stored = found && parsedBy(credentialsSchema, found);
        return openAccess(open(settings, credentialsSchema.parse(storedCredentials), stored), {
          mode,
          limits,
          needsConsent,
          canLimitUse,
          takesTests,
          needsTestCode: testCodeOf !== undefined,
          testCode: testCodeOf?.(settings),
          currencies: currencies && { ...currencies, sendsOthers: currencies.sendsOthers(settings), title },
          build: (given, atMs) => {
            const event = isNet ? withNetValue(given) : given;
            const named = settingsFor(event);
            if (named === undefined) return noLeadEvent;
            if (event.kind === 'conversion') return events.conversion(event, named, atMs);
            if (event.kind === 'lead') return events.lead?.(event, named, atMs) ?? notSupported;
            if (adjustments === undefined) return notSupported;
            return isTaken ? nameTaken : adjustments.event(event, named, atMs);
          },
          adjustments: adjustments && {
            overwrite: adjustments.overwrite,
            wentElsewhere: comparingDestinations(definition.destinationOf, settingsFor, namedBy),
          },
          requestKeyOf,
          checkEvent: () => definition.checkEvent(context.now()),
          examples: examples && (() => examples({ ...exampleParts(context.now()), settings })),
        });
      };
    },
  };
};

type Fields = Readonly<Record<string, unknown>>;

/** Leaves out undefined fields: platforms accept a missing field, but no empty one. */
export const knownFields = (fields: Fields): Fields => {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) known[name] = fields[name];
  return known;
};

const name = 'expected the name of an event, such as Purchase or Lead';
const testCode = 'expected the code that "Test events" of Events Manager shows, such as TEST12345';

/** The event name that the account's campaigns use for a conversion. */
export const eventNameSchema = z
  .string({ error: name })
  .trim()
  .min(1, name)
  .default('Purchase')
  .meta({ help: 'name of conversion events, default Purchase', value: 'name' });

/** The event name that the account's campaigns use for the registration of a client. */
export const leadEventNameSchema = z
  .string({ error: name })
  .trim()
  .min(1, name)
  .default('Lead')
  .meta({ help: 'name of lead events (`--events`), default Lead', value: 'name' });

const otherCurrencyChoices = ['skip', 'without-value'] as const;

/** What is sent of a conversion in a currency that the platform does not take. */
export const otherCurrencySchema = z
  .enum(otherCurrencyChoices, `expected ${otherCurrencyChoices.join(' or ')}`)
  .optional()
  .meta({
    help: 'a sale in a currency that the platform does not take: skip (default), or without-value: sent without its amount',
    value: 'choice',
  });

const valueChoices = ['amount', 'net'] as const;

/** What a sale is worth, as the platform is told. */
export const valueSchema = z
  .enum(valueChoices, `expected ${valueChoices.join(' or ')}`)
  .optional()
  .meta({
    help: 'value of a sale: amount (default), or net: its `netAmount`, if it has one',
    value: 'choice',
  });

/** The code under which "Test events" of Events Manager shows conversions registered with a test key. */
export const testEventCodeSchema = z.string({ error: testCode }).trim().regex(/^\w+$/, testCode).optional().meta({
  help: 'code of "Test events" in Events Manager, which then shows tests; without it they are skipped',
  value: 'code',
});
