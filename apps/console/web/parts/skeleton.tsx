import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import styles from './parts.module.css';

/** Grey lines in place of content. They appear after 200 ms, so that quick responses do not flicker. */
export const Skeleton = ({ lines = 5 }: { readonly lines?: number }) => {
  const { loading } = useTexts(commonTexts);
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
};
