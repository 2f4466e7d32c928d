import { type PlatformName, platformNames } from '@leadback/domain';
import { egressOf } from './webhook-address.ts';
import { z } from 'zod';
import type { Platform, PlatformDescriptor, PlatformContext, SettingsRead, TakeSlot } from './definition.ts';
import { googlePlatform } from './google/index.ts';
import { linkedinPlatform } from './linkedin/index.ts';
import { metaPlatform } from './meta/index.ts';
import { microsoftPlatform } from './microsoft/index.ts';
import { createRequest, secondMs } from './exchange.ts';
import { tiktokPlatform } from './tiktok/index.ts';
import { type Destination, webhookDestination, type WebhookTuning } from './webhook/index.ts';

/** All supported platforms: each is one folder and one line here. */
const supported = {
  meta: metaPlatform,
  google: googlePlatform,
  tiktok: tiktokPlatform,
  linkedin: linkedinPlatform,
  microsoft: microsoftPlatform,
} satisfies Readonly<Record<PlatformName, PlatformDescriptor>>;

export const platformList: readonly PlatformDescriptor[] = Object.values(supported);

interface Tuning {
  /** Per request, including the whole response. */
  readonly requestTimeoutMs?: number;
  readonly now?: () => number;
  /** Enforces the platforms' quotas. Default: no limit. */
  readonly takeSlot?: TakeSlot;
  readonly webhooks?: WebhookTuning;
}

type AdvertisingPlatforms = Readonly<Record<PlatformName, Platform>>;

/** The platforms by name, and the webhooks of partners. */
export interface Platforms extends AdvertisingPlatforms {
  readonly webhook: Destination;
}

const atOnce: TakeSlot = () => Promise.resolve(undefined);

const isComplete = (platforms: Readonly<Record<string, Platform>>): platforms is AdvertisingPlatforms =>
  platformNames.every((name) => Object.hasOwn(platforms, name));

/**
 * Opens the platforms, by name, and webhooks. `settings`: as read with `platformSettings` and `egressSettings`; tests give
 * `PLATFORM_SANDBOX_URL` alone.
 * Throws if `descriptors` lacks a supported platform.
 */
export const platformRegistry = (
  settings: SettingsRead,
  { requestTimeoutMs = 15 * secondMs, now = Date.now, takeSlot = atOnce, webhooks }: Tuning = {},
  descriptors = platformList,
): Platforms => {
  const request = createRequest();
  const context: PlatformContext = {
    request,
    post: (content) => request('POST', content),
    now,
    requestTimeoutMs,
    takeSlot,
  };
  const platforms = Object.fromEntries(
    descriptors.map((descriptor) => [
      descriptor.name,
      { ...descriptor, access: descriptor.connect(settings, context) },
    ]),
  );
  if (!isComplete(platforms)) throw new Error(`not all of these platforms are registered: ${platformNames.join(', ')}`);
  return { ...platforms, webhook: webhookDestination({ ...egressOf(settings), now, ...webhooks }) };
};

/**
 * The settings of the platforms as environment variables: part of a settings schema. They are optional; the registry
 * knows the URLs of the real platforms.
 */
export const platformSettings = (
  descriptors = platformList,
): { readonly PLATFORM_SANDBOX_URL: z.ZodOptional<z.ZodURL> } => ({
  ...Object.fromEntries(
    descriptors.flatMap(({ env }) =>
      Object.entries(env).map(([name, { schema, standard }]) => [
        name,
        schema.optional().meta({ description: 'The address of a platform; it wins over the sandbox', standard }),
      ]),
    ),
  ),
  PLATFORM_SANDBOX_URL: z.url().optional().describe('For a trial only: the sandbox that gets everything instead'),
});
