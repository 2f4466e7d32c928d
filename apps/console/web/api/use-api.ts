import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Capability } from '../../src/contract/capability.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import type { Api } from './api.ts';

const Current = createContext<Api | undefined>(undefined);
export const ApiProvider = Current.Provider;

export const useApi = (): Api => {
  const api = use(Current);
  if (!api) throw new Error('there is no ApiProvider');
  return api;
};

export const sessionQuery = (api: Api) =>
  queryOptions({ queryKey: ['session'], queryFn: api.session, staleTime: Number.POSITIVE_INFINITY });

/** The routes below `/a` load it before they render. */
export const useSession = (): SessionReply => useSuspenseQuery(sessionQuery(useApi())).data;

/** Whether the person who is signed in may do this. The server decides; this hides what it would refuse. */
export const useMay = (capability: Capability): boolean => useSession().person?.may.includes(capability) === true;
