import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ChangePageInput,
  ChangePageReply,
  ChangeScriptReply,
  CheckPageReply,
  CreatePageInput,
  CreatePageReply,
  CreateScriptInput,
  CreateScriptReply,
  DeletePageReply,
  Page,
  PageDraft,
  PagesReply,
  ScriptInput,
  StoreImageReply,
  SwitchPageReply,
  UnusableClicksReply,
} from '../../../src/contract/pages.ts';
import { type Api, useApi } from '../../api.ts';
import { showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { pagesTexts } from './texts.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/pages`;

/** Where a form posts a draft to, for a frame. */
export const previewPath = (account: string): string => `${pathOf(account)}/preview`;

export const pagesQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['pages', account],
    queryFn: ({ signal }) => api.get<PagesReply>(pathOf(account), {}, signal),
  });

export const pageQuery = (api: Api, account: string, page: string) =>
  queryOptions({
    queryKey: ['page', account, page],
    queryFn: ({ signal }) => api.get<Page>(`${pathOf(account)}/${page}`, {}, signal),
  });

export const unusableClicksQuery = (api: Api, account: string, page: number) =>
  queryOptions({
    queryKey: ['page-unusable-clicks', account, page],
    queryFn: ({ signal }) => api.get<UnusableClicksReply>(`${pathOf(account)}/${page}/unusable-clicks`, {}, signal),
  });

/** The problems of a draft. */
export const checkQuery = (api: Api, account: string, draft: PageDraft) =>
  queryOptions({
    queryKey: ['page-check', account, draft],
    queryFn: () => api.post<CheckPageReply>(`${pathOf(account)}/check`, { draft }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const createPage = (api: Api, account: string, given: CreatePageInput): Promise<CreatePageReply> =>
  api.post<CreatePageReply>(pathOf(account), given);

export const createScript = (api: Api, account: string, given: CreateScriptInput): Promise<CreateScriptReply> =>
  api.post<CreateScriptReply>(`${pathOf(account)}/script`, given);

export const changeScript = (api: Api, account: string, id: number, given: ScriptInput): Promise<ChangeScriptReply> =>
  api.post<ChangeScriptReply>(`${pathOf(account)}/${id}/script`, given);

export const arrivalsPath = (account: string, id: number): string => `${pathOf(account)}/${id}/arrivals`;
export const serverArrivalsPath = (account: string): string => `/api/accounts/${account}/server-arrivals`;

export const changePage = (api: Api, account: string, id: number, change: ChangePageInput): Promise<ChangePageReply> =>
  api.post<ChangePageReply>(`${pathOf(account)}/${id}`, change);

const switchPage = (api: Api, account: string, id: number, isOn: boolean): Promise<SwitchPageReply> =>
  api.post<SwitchPageReply>(`${pathOf(account)}/${id}/switch`, { isOn });

export const deletePage = (api: Api, account: string, id: number): Promise<DeletePageReply> =>
  api.post<DeletePageReply>(`${pathOf(account)}/${id}/delete`, {});

export const uploadImage = (api: Api, account: string, file: File): Promise<StoreImageReply> =>
  api.post<StoreImageReply>(`${pathOf(account)}/images`, file);

interface Switched {
  readonly id: number;
  readonly slug: string;
  readonly isOn: boolean;
}

/** Switches a page on or off, and offers to undo it. */
export const useSwitch = () => {
  const texts = useTexts(pagesTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const mutation = useMutation({
    mutationFn: ({ id, isOn }: Switched) => switchPage(api, account, id, isOn),
    onSuccess: async (_, page) => {
      const undo = { label: texts.undo, run: () => mutation.mutate({ ...page, isOn: !page.isOn }) };
      showToast(page.isOn ? texts.switchedOn(page.slug) : texts.switchedOff(page.slug), undo);
      await Promise.all(['pages', 'page'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  return mutation;
};
