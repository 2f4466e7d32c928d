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
  /** Of the Graph API, a part of its addresses: `v25.0`. */
  readonly metaApiVersion: string;
  readonly googleApiUrl: string;
  readonly googleOauthUrl: string;
  readonly tiktokApiUrl: string;
}

/** Where the platforms live; the sandbox stands in for them all. */
export const platformUrls: PlatformUrls = {
  metaApiUrl: 'https://graph.facebook.com',
  metaApiVersion: 'v25.0', // of 2026-02-18, answers until 2028-07-29
  googleApiUrl: 'https://datamanager.googleapis.com',
  googleOauthUrl: 'https://oauth2.googleapis.com',
  tiktokApiUrl: 'https://business-api.tiktok.com',
};

/** All of them at one address, where something stands in for them. */
export const platformUrlsAt = (url: string): PlatformUrls => ({
  ...platformUrls,
  metaApiUrl: url,
  googleApiUrl: url,
  googleOauthUrl: url,
  tiktokApiUrl: url,
});

interface Tuning {
  /** For one request, from the first byte to the last. */
  readonly requestTimeoutMs?: number;
  readonly now?: () => number;
  /** Keeps to the platforms' quotas; left out, every request goes at once. */
  readonly takeSlot?: TakeSlot;
}

const atOnce: TakeSlot = () => Promise.resolve(undefined);

const withoutEndSlash = (url: string) => url.replace(/\/+$/, '');

/** The platforms that conversions are reported to: each is one folder and one line here. */
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
