import type { AttributedAdjustment, AttributedConversion, AttributedLead, ClickIdName } from '@leadback/domain';
import type { z } from 'zod';
import type { Codes } from './codes.ts';
import type { EventSettings } from './named-settings.ts';
import type { Answer, PlatformAccess, PlatformEvent, Prepared, RequestStatus, SendingMode } from './platform.ts';
import type { PlatformContext } from './platform-context.ts';
import type { PlatformSetting } from './platform-setting.ts';

export interface PlatformLimits {
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
export interface TestMark {
  readonly code?: string | undefined;
}

/** Requests of one account. */
export interface Transport {
  /**
   * Takes no quota slot for its first request. `test` is missing for live events, which must never be marked. A platform
   * without tests ignores it: its check is a live event that matches nobody.
   */
  readonly send: (events: readonly PlatformEvent[], test?: TestMark) => Promise<Answer>;
  /** Takes no quota slot for its first request. */
  readonly requestStatus?: (request: string) => Promise<RequestStatus>;
  /** Missing if the platform has no quota. */
  readonly takeSlot?: NonNullable<PlatformAccess['takeSlot']>;
}

/** `atMs`: the current time by the caller's clock. */
type BuildEvent<Attributed, Settings> = (event: Attributed, settings: Settings, atMs: number) => Prepared;

/** How a platform is told that a conversion has another total. */
export interface AdjustmentDefinition<Settings> {
  /** Builds the event of an adjustment; by then, its conversion was delivered. The settings are those of the conversion. */
  readonly event: BuildEvent<AttributedAdjustment, Settings>;
  /** Whether the last event counts, so that only the last adjustment is told. If not, each adds to those before. */
  readonly overwrite: boolean;
  /** Where the platform keeps a conversion. If it was sent elsewhere, its adjustment is skipped. */
  readonly destinationOf: (settings: Settings) => string;
}

/** Everything about a platform; `definePlatform` adds what all platforms have in common. */
export interface PlatformDefinition<
  Setting extends string,
  Settings extends z.ZodObject,
  Kinds extends readonly z.ZodObject[],
> {
  readonly name: string;
  /** The display name. */
  readonly title: string;
  /** Settings of the environment, such as URLs. */
  readonly env: Readonly<Record<Setting, PlatformSetting>>;
  /** Public data of a connection (ids, names). Each field has a `meta`: see `ConnectionField`. */
  readonly settings: Settings;
  /** Data that is stored encrypted (tokens, secrets): the kinds of credentials, of which a connection has one, whole. */
  readonly credentials: Kinds;
  /** The click ids that the platform knows, best first. */
  readonly clickIds: readonly ClickIdName[];
  readonly limits: PlatformLimits;
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
  /** Missing: the platform is told of no adjustments, which are skipped. */
  readonly adjustments?: AdjustmentDefinition<z.output<Settings>>;
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
  /** The code under which the platform shows tests; tests without one are skipped. Missing: it has no codes. */
  readonly testCodeOf?: (settings: z.output<Settings>) => string | undefined;
  /** The settings and credentials of a connection for tests; different for each `n` if they share a quota. */
  readonly sample: (n: number) => {
    readonly settings: z.input<Settings>;
    readonly credentials: z.input<Kinds[number]>;
  };
  /** Called once per process; the returned function once per connection and mode. */
  readonly connect: (
    env: (name: Setting) => string,
    context: PlatformContext,
  ) => (settings: z.output<Settings>, credentials: z.output<Kinds[number]>) => Transport;
}
