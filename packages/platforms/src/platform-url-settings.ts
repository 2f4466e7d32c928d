import { z } from 'zod';
import { type PlatformUrls, platformUrls } from './registry.ts';

/** The URLs of the platforms as environment variables: part of a settings schema. */
export const platformUrlSettings = {
  META_API_URL: z.url().default(platformUrls.metaApiUrl),
  META_GRAPH_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'expected a version of the Graph API, such as v25.0')
    .default(platformUrls.metaApiVersion),
  GOOGLE_API_URL: z.url().default(platformUrls.googleApiUrl),
  GOOGLE_OAUTH_URL: z.url().default(platformUrls.googleOauthUrl),
  TIKTOK_API_URL: z.url().default(platformUrls.tiktokApiUrl),
};

type PlatformUrlSettings = Readonly<Record<keyof typeof platformUrlSettings, string>>;

/** Converts settings read with `platformUrlSettings` for the registry. */
export const platformUrlsOf = (settings: PlatformUrlSettings): PlatformUrls => ({
  metaApiUrl: settings.META_API_URL,
  metaApiVersion: settings.META_GRAPH_API_VERSION,
  googleApiUrl: settings.GOOGLE_API_URL,
  googleOauthUrl: settings.GOOGLE_OAUTH_URL,
  tiktokApiUrl: settings.TIKTOK_API_URL,
});
