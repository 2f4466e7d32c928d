import type { SandboxPlatform } from '../sandbox-platform.ts';
import { microsoftRouter } from './router.ts';

export const microsoftSandbox: SandboxPlatform = {
  name: 'microsoft',
  color: 'light-dark(#107c10, #6bbf6b)',
  reportsStatus: false,
  router: microsoftRouter,
};
