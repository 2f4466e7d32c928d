import type { SandboxPlatform } from '../sandbox-platform.ts';
import { tiktokRouter } from './router.ts';

export const tiktokSandbox: SandboxPlatform = {
  name: 'tiktok',
  color: 'light-dark(#d81e4a, #ff6b8b)',
  reportsStatus: false,
  router: tiktokRouter,
};
