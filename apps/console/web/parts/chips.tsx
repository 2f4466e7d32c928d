import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import styles from './parts.module.css';
import { Icon } from './icon.tsx';

export interface Chip {
  readonly key: string;
  readonly text: string;
  readonly onRemove: () => void;
}

/** The filters in force; each can be removed. */
export const Chips = ({ chips }: { readonly chips: readonly Chip[] }) => {
  const texts = useTexts(commonTexts);
  return (
    <>
      {chips.map(({ key, text, onRemove }) => (
        <button key={key} type="button" className={styles.chip} aria-label={texts.remove(text)} onClick={onRemove}>
          {text}
          <Icon name="close" />
        </button>
      ))}
    </>
  );
};
