import { type PlatformName, platformNames } from '@leadback/domain';
import { egressOf } from '@leadback/egress';
import type { Platform, PlatformDescriptor } from './define-platform.ts';
import { googlePlatform } from './google/index.ts';
import { linkedinPlatform } from './linkedin/index.ts';
import { metaPlatform } from './meta/index.ts';
import { microsoftPlatform } from './microsoft/index.ts';
import type { PlatformContext } from './platform-context.ts';
import type { SettingsRead } from './platform-setting.ts';
import type { TakeSlot } from './quota.ts';
import { createRequest } from './request.ts';
import { secondMs } from './span.ts';
import { tiktokPlatform } from './tiktok/index.ts';
import { type Destination, webhookDestination } from './webhook/index.ts';
import type { WebhookTuning } from './webhook/send.ts';

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
