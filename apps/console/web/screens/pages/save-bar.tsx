import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';
import type { EditorState } from './use-editor.ts';

/** Whether anything is unsaved, and what to do about it. Always in reach. */
export const SaveBar = ({ editor: { isDirty, problems, save, discard } }: { readonly editor: EditorState }) => {
  const texts = useTexts(pagesTexts);
  const hasProblems = isDirty && problems.length > 0;
  return (
    <div className={styles.bar}>
      {save.error && <Failure error={save.error} />}
      <p role="status" data-dirty={isDirty}>
        {hasProblems ? texts.correct : isDirty ? texts.unsaved : texts.allSaved}
      </p>
      {isDirty && <Button onClick={discard}>{texts.discard}</Button>}
      <Button look="primary" type="submit" disabled={!isDirty || hasProblems} isBusy={save.isPending}>
        {texts.save}
      </Button>
    </div>
  );
};
