import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditReply } from '../../../src/contract/audit.ts';
import type { Api } from '../../api/api.ts';
import { useApi } from '../../api/use-api.ts';
import { type AuditSearch, parseAuditSearch } from './search.ts';

const firstPage = 0;

const auditQuery = (api: Api, account: string | undefined, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', account, search],
    queryFn: ({ signal, pageParam }) =>
      api.get<AuditReply>(
        account === undefined ? '/api/audit' : `/api/accounts/${account}/audit`,
        { ...search, after: pageParam === firstPage ? undefined : pageParam },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** The account whose entries are shown; undefined: all. */
export const useAuditAccount = (): string | undefined => useParams({ strict: false, select: ({ account }) => account });

export const useAuditSearch = (): AuditSearch => parseAuditSearch(useSearch({ strict: false }));

export const useAudit = (): UseInfiniteQueryResult<InfiniteData<AuditReply>> =>
  useInfiniteQuery(auditQuery(useApi(), useAuditAccount(), useAuditSearch()));

/** Changes filters in the URL. */
export const useFilter = (): ((changed: AuditSearch) => void) => {
  const navigate = useNavigate();
  const account = useAuditAccount();
  const before = useAuditSearch();
  return (changed) => {
    const search = { ...before, ...changed };
    void (account === undefined
      ? navigate({ to: '/audit', search })
      : navigate({ to: '/a/$account/audit', params: { account }, search }));
  };
};
