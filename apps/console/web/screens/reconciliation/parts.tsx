import { queryOptions } from '@tanstack/react-query';
import type {
  ListedRowsReply,
  Measure,
  ReconciliationItem,
  ReconciliationsReply,
  ReplayInput,
} from '../../../src/contract/reconciliations.ts';
import type { Api } from '../../api.ts';
import files from '../../files/style.module.css';
import { pagesQuery } from '../../parts/pages.tsx';
import { Badge, type Tone } from '../../parts/values.tsx';
import { dayAt } from '../../range/range.ts';
import { useTimeZone } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { reconciliationTexts } from './texts.ts';

export const pathOf = (account: string): string => `/api/accounts/${account}/reconciliations`;
const pollMs = 1000;
export const isComparing = ({ state }: ReconciliationItem): boolean => state === 'pending' || state === 'running';
const isWorking = (one: ReconciliationItem): boolean => isComparing(one) || one.replay?.state === 'running';

/** Polled while a list is worked on. */
export const reconciliationsQuery = (api: Api, account: string) =>
  pagesQuery<ReconciliationsReply>(api, {
    key: ['reconciliations', account],
    path: pathOf(account),
    cursor: 'before',
    isWorking,
  });

export const reconciliationQuery = (api: Api, account: string, id: string) =>
  queryOptions({
    queryKey: ['reconciliation', account, id],
    queryFn: ({ signal }) => api.get<ReconciliationItem>(`${pathOf(account)}/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false),
  });

export const listedRowsQuery = (api: Api, account: string, { id, outcome }: { id: number; outcome: Measure }) =>
  pagesQuery<ListedRowsReply>(api, {
    key: ['reconciliation-rows', account, id, outcome],
    path: `${pathOf(account)}/${id}/rows`,
    query: { outcome },
  });

export const startReplay = (api: Api, account: string, id: number, order: ReplayInput): Promise<object> =>
  api.post<object>(`${pathOf(account)}/${id}/replay`, order);

const tones: Readonly<Record<ReconciliationItem['state'], Tone>> = {
  pending: 'plain',
  running: 'accent',
  done: 'good',
  failed: 'bad',
};

export const ListBadges = ({ item: { state, isTest } }: { readonly item: ReconciliationItem }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(reconciliationTexts);
  return (
    <span className={files.badges}>
      <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      {isTest && <Badge tone="accent">{common.test}</Badge>}
    </span>
  );
};

export const useListName = (): ((item: Pick<ReconciliationItem, 'id' | 'fileName'>) => string) => {
  const texts = useTexts(reconciliationTexts);
  return ({ id, fileName }) => fileName ?? texts.name(id);
};

/** The days of a list; a partner may have sent times. */
export const usePeriod = (): ((item: Pick<ReconciliationItem, 'from' | 'until'>) => string) => {
  const format = useFormat();
  const timeZone = useTimeZone();
  return ({ from, until }) => {
    const before = (iso: string) => dayAt(new Date(Date.parse(iso) - 1), timeZone);
    const isStartOfDay = (iso: string) => before(iso) !== dayAt(iso, timeZone);
    if (!isStartOfDay(from) || !isStartOfDay(until)) return `${format.time(from)} – ${format.time(until)}`;
    const [first, last] = [dayAt(from, timeZone), before(until)];
    return first === last ? format.dayWithYear(first) : `${format.day(first)} – ${format.dayWithYear(last)}`;
  };
};
