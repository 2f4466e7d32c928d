import type { SandboxPlatform } from '../sandbox-platform.ts';
import { metaRouter } from './router.ts';

export const metaSandbox: SandboxPlatform = {
  name: 'meta',
  color: 'light-dark(#0866ff, #5b9bff)',
  reportsStatus: false,
  router: metaRouter,
};
