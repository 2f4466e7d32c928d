import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../api.ts';

/** What all routes are given. */
export interface RouterContext {
  readonly api: Api;
  readonly client: QueryClient;
}
