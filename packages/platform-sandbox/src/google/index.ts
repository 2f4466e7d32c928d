import type { SandboxPlatform } from '../sandbox-platform.ts';
import { countedAs } from './requests.ts';
import { googleRouter } from './router.ts';

export const googleSandbox: SandboxPlatform = {
  name: 'google',
  color: 'light-dark(#188038, #5bb974)',
  reportsStatus: true,
  countedAs,
  router: googleRouter,
};
