import { z } from 'zod';
import { definePlatform, type PlatformDescriptor } from '../src/index.ts';
import type { PlatformContext, PlatformSetting } from '../src/definition.ts';
import { now } from './given-conversion.ts';

const notSent = () => Promise.reject(new Error('this platform sends nothing'));

const context: PlatformContext = {
  request: notSent,
  post: notSent,
  now: () => now,
  requestTimeoutMs: 1_000,
  takeSlot: () => Promise.resolve(undefined),
};

interface Wanted {
  readonly needsConsent?: boolean;
  readonly canLimitUse?: boolean;
  readonly takesTests?: boolean;
  readonly settings?: z.ZodObject;
  readonly env?: Readonly<Record<string, PlatformSetting>>;
  /** Is called with the values of `env`, in their order. */
  readonly onConnect?: (values: readonly string[]) => void;
}

const texts = { needed: 'Nothing.', fields: {} };

/** A platform with no data of its own. The body of an answer says how the request was marked as a test. */
export const givenPlatform = ({
  needsConsent = false,
  canLimitUse = true,
  takesTests = true,
  settings = z.object({}),
  env = {},
  onConnect,
}: Wanted = {}): PlatformDescriptor =>
  definePlatform({
    name: 'given',
    title: 'Given',
    texts: { en: texts, es: texts, pt: texts },
    env,
    apiVersion: { version: '1', endsAt: undefined, source: 'https://given.example/versions' },
    settings,
    credentials: [z.object({})],
    limits: { eventsMax: { live: 1, test: 1 }, requestsMax: 1, eventAgeMaxMs: 60_000 },
    codes: {
      table: {},
      meaningOf: () => undefined,
      otherRemedy: { words: { en: 'Unknown.', es: 'Desconocido.', pt: 'Desconhecido.' }, change: [] },
    },
    needsConsent,
    canLimitUse,
    takesTests,
    events: { conversion: () => ({ kind: 'event', event: {}, keys: 0 }) },
    destinationOf: () => 'given',
    checkEvent: () => ({}),
    sample: () => ({ settings: {}, credentials: {} }),
    connect: (valueOf) => {
      onConnect?.(Object.keys(env).map(valueOf));
      return () => ({
        send: (_events, test) =>
          Promise.resolve({ outcome: { kind: 'delivered' }, httpStatus: null, body: JSON.stringify(test ?? null) }),
      });
    },
  });

/** Opens it with the settings of the environment. */
export const connected = (platform: PlatformDescriptor, settings: Readonly<Record<string, string>> = {}) =>
  platform.connect(settings, context);
