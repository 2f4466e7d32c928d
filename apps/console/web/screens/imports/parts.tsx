import { queryOptions } from '@tanstack/react-query';
import type {
  CreatedImport,
  ImportItem,
  ImportsReply,
  ListedOutcome,
  ResultRowsReply,
} from '../../../src/contract/imports.ts';
import type { Api } from '../../api.ts';
import styles from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { pagesQuery } from '../../parts/pages.tsx';
import { Badge, type Tone } from '../../parts/values.tsx';
import { commonTexts } from '../../text/common.ts';
import { useTexts } from '../../text/language.tsx';
import { importsTexts } from './texts.ts';

export const pathOf = (account: string): string => `/api/accounts/${account}/imports`;
const pollMs = 1000;

export const isOpen = ({ state }: ImportItem): boolean => state === 'pending' || state === 'running';

/** Polled while a file is worked on. */
export const importsQuery = (api: Api, account: string) =>
  pagesQuery<ImportsReply>(api, {
    key: ['imports', account],
    path: pathOf(account),
    cursor: 'before',
    isWorking: isOpen,
  });

export const importQuery = (api: Api, account: string, id: string) =>
  queryOptions({
    queryKey: ['import', account, id],
    queryFn: ({ signal }) => api.get<ImportItem>(`${pathOf(account)}/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pollMs : false),
  });

/** Of an import that is done: they change no more. */
export const resultRowsQuery = (api: Api, account: string, { id, outcome }: { id: number; outcome: ListedOutcome }) =>
  pagesQuery<ResultRowsReply>(api, {
    key: ['import-rows', account, id, outcome],
    path: `${pathOf(account)}/${id}/rows`,
    query: { outcome },
  });

export const registerImport = (api: Api, account: string, id: number): Promise<CreatedImport> =>
  api.post<CreatedImport>(`${pathOf(account)}/${id}/register`, {});

const tones: Readonly<Record<ImportItem['state'], Tone>> = {
  pending: 'plain',
  running: 'accent',
  done: 'good',
  refused: 'bad',
  failed: 'bad',
};

/** What an import is, and how far. */
export const ImportBadges = ({ item: { state, isDryRun, isTest, registeredAs } }: { readonly item: ImportItem }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(importsTexts);
  const isWaiting = state === 'done' && isDryRun && registeredAs === null;
  return (
    <span className={styles.badges}>
      {isWaiting ? (
        <Badge tone="warn">{texts.notRegistered}</Badge>
      ) : (
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      )}
      {isDryRun && <Badge tone="plain">{texts.dryRun}</Badge>}
      {isTest && <Badge tone="accent">{common.test}</Badge>}
    </span>
  );
};

export const useImportName = (): ((item: Pick<ImportItem, 'id' | 'fileName'>) => string) => {
  const texts = useTexts(importsTexts);
  return ({ id, fileName }) => fileName ?? texts.name(id);
};

export const useSenderWords = (): ((createdBy: string | null) => string) => {
  const files = useTexts(filesTexts);
  return (createdBy) => (createdBy === null ? files.byKey : files.by(createdBy));
};
