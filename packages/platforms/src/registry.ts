import type { PlatformName } from '@leadback/domain';
import { googlePlatform } from './google/index.ts';
import { metaPlatform } from './meta/index.ts';
import type { Platform } from './platform.ts';
import type { PlatformContext } from './platform-context.ts';
import type { TakeSlot } from './quota.ts';
import { createRequest } from './request.ts';
import { secondMs } from './span.ts';
import { tiktokPlatform } from './tiktok/index.ts';

export interface PlatformUrls {
  readonly metaApiUrl: string;
  /** The version of the Graph API, part of its URLs: `v25.0`. */
  readonly metaApiVersion: string;
  readonly googleApiUrl: string;
  readonly googleOauthUrl: string;
  readonly tiktokApiUrl: string;
}

/** The production URLs; the sandbox replaces all of them. */
export const platformUrls: PlatformUrls = {
  metaApiUrl: 'https://graph.facebook.com',
  metaApiVersion: 'v25.0', // released 2026-02-18, available until 2028-07-29
  googleApiUrl: 'https://datamanager.googleapis.com',
  googleOauthUrl: 'https://oauth2.googleapis.com',
  tiktokApiUrl: 'https://business-api.tiktok.com',
};

/** All platforms at one URL, for a sandbox. */
export const platformUrlsAt = (url: string): PlatformUrls => ({
  ...platformUrls,
  metaApiUrl: url,
  googleApiUrl: url,
  googleOauthUrl: url,
  tiktokApiUrl: url,
});

interface Tuning {
  /** Per request, including the whole response. */
  readonly requestTimeoutMs?: number;
  readonly now?: () => number;
  /** Enforces the platforms' quotas. Default: no limit. */
  readonly takeSlot?: TakeSlot;
}

const atOnce: TakeSlot = () => Promise.resolve(undefined);

const withoutEndSlash = (url: string) => url.replace(/\/+$/, '');

/** All supported platforms: each is one folder and one line here. */
export const platformRegistry = (
  { metaApiUrl, metaApiVersion, googleApiUrl, googleOauthUrl, tiktokApiUrl }: PlatformUrls,
  { requestTimeoutMs = 15 * secondMs, now = Date.now, takeSlot = atOnce }: Tuning = {},
): Readonly<Record<PlatformName, Platform>> => {
  const request = createRequest();
  const context: PlatformContext = {
    request,
    post: (content) => request('POST', content),
    now,
    requestTimeoutMs,
    takeSlot,
  };
  return {
    meta: metaPlatform(`${withoutEndSlash(metaApiUrl)}/${metaApiVersion}`, context),
    google: googlePlatform(withoutEndSlash(googleApiUrl), withoutEndSlash(googleOauthUrl), context),
    tiktok: tiktokPlatform(withoutEndSlash(tiktokApiUrl), context),
  };
};
