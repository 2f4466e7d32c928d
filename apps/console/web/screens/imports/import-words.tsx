import type { ImportItem } from '../../../src/contract/imports.ts';
import styles from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { importsTexts } from './texts.ts';

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
