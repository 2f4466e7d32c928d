import type { SandboxPlatform } from '../sandbox-platform.ts';
import { linkedinRouter } from './router.ts';

export const linkedinSandbox: SandboxPlatform = {
  name: 'linkedin',
  color: 'light-dark(#0a66c2, #70b5f9)',
  reportsStatus: false,
  router: linkedinRouter,
};
