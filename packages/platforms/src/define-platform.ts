import { type EventKind, eventKinds } from '@leadback/domain';
import type { z } from 'zod';
import { type Codes, isRemedy, type Remedy } from './codes.ts';
import { comparingDestinations } from './comparing-destinations.ts';
import { type ConnectionField, connectionFields } from './connection-field.ts';
import { oneKindOf } from './one-kind-of.ts';
import { type EventSettings, namedSettings, type StoredSettings } from './named-settings.ts';
import { nameTaken, noLeadEvent, notSupported } from './not-supported.ts';
import { openAccess } from './open-access.ts';
import type { PlatformAccess, SendingMode } from './platform.ts';
import type { PlatformContext } from './platform-context.ts';
import type { PlatformDefinition, PlatformLimits } from './platform-definition.ts';
import { type PlatformSetting, readPlatformSetting, type SettingsRead } from './platform-setting.ts';
import { takenName } from './taken-name.ts';

/**
 * Takes settings, credentials and event names as stored. Throws a ZodError if they do not match the schemas.
 * `eventNames`: see `eventNamesSchema`; default: none.
 */
type OpenAccess = (settings: unknown, credentials: unknown, mode: SendingMode, eventNames?: unknown) => PlatformAccess;

/** A platform, whatever its own types. */
export interface PlatformDescriptor
  extends Pick<
    PlatformDefinition<string, z.ZodObject, readonly z.ZodObject[]>,
    'name' | 'title' | 'clickIds' | 'needsConsent' | 'canLimitUse' | 'takesTests' | 'sample'
  > {
  readonly env: Readonly<Record<string, PlatformSetting>>;
  readonly limits: PlatformLimits;
  readonly codes: Codes;
  /** How an operator fixes a connection that was `refused` for this reason. */
  readonly remedyFor: (reason: string) => Remedy;
  /** Settings first; no name is used for both a setting and a credential. */
  readonly fields: readonly ConnectionField[];
  /** The names of the credentials of each kind; a connection has one kind. */
  readonly credentialKinds: readonly (readonly string[])[];
  readonly settingsSchema: z.ZodType;
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
  const { name, title, env, clickIds, limits, codes, needsConsent, canLimitUse, takesTests } = definition;
  const { events, adjustments, eventSettings, sample, testCodeOf, requestKeyOf } = definition;
  const kinds: readonly Kinds[number][] = definition.credentials;
  const credentialsSchema = oneKindOf(kinds);
  return {
    name,
    title,
    env,
    clickIds,
    limits,
    codes,
    needsConsent,
    canLimitUse,
    takesTests,
    sample,
    remedyFor: (reason) => {
      const meaning = codes.meaningOf(reason);
      return isRemedy(meaning) ? meaning : codes.otherRemedy;
    },
    fields: [definition.settings, ...kinds].flatMap((schema) => connectionFields(schema)),
    credentialKinds: kinds.map(({ shape }) => Object.keys(shape)),
    settingsSchema: definition.settings,
    credentialsSchema,
    eventSettings,
    eventKinds: events.lead === undefined ? ['conversion'] : eventKinds,
    connect: (read, context) => {
      const open = definition.connect((setting) => readPlatformSetting(setting, env[setting], read), context);
      return (storedSettings, storedCredentials, mode, eventNames = {}) => {
        const settings = definition.settings.parse(storedSettings);
        const namedBy = (stored: StoredSettings) => namedSettings(definition.settings, eventSettings, stored);
        const settingsFor = namedBy({ settings: storedSettings, eventNames });
        const isTaken = takenName(eventSettings, { settings, eventNames }) !== undefined;
        return openAccess(open(settings, credentialsSchema.parse(storedCredentials)), {
          mode,
          limits,
          needsConsent,
          canLimitUse,
          takesTests,
          needsTestCode: testCodeOf !== undefined,
          testCode: testCodeOf?.(settings),
          build: (event, atMs) => {
            const named = settingsFor(event);
            if (named === undefined) return noLeadEvent;
            if (event.kind === 'conversion') return events.conversion(event, named, atMs);
            if (event.kind === 'lead') return events.lead?.(event, named, atMs) ?? notSupported;
            if (adjustments === undefined) return notSupported;
            return isTaken ? nameTaken : adjustments.event(event, named, atMs);
          },
          adjustments: adjustments && {
            overwrite: adjustments.overwrite,
            wentElsewhere: comparingDestinations(adjustments.destinationOf, settingsFor, namedBy),
          },
          requestKeyOf,
          checkEvent: () => definition.checkEvent(context.now()),
        });
      };
    },
  };
};
