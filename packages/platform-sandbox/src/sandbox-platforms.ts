import { googleSandbox } from './google/index.ts';
import { linkedinSandbox } from './linkedin/index.ts';
import { metaSandbox } from './meta/index.ts';
import { microsoftSandbox } from './microsoft/index.ts';
import type { SandboxPlatform } from './sandbox.ts';
import { tiktokSandbox } from './tiktok/index.ts';

/** All simulated platforms. */
export const sandboxPlatforms: readonly SandboxPlatform[] = [
  metaSandbox,
  googleSandbox,
  tiktokSandbox,
  linkedinSandbox,
  microsoftSandbox,
];
