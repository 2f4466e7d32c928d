import { useState } from 'react';
import type { DraftField } from '../../../src/contract/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { DraftValue } from './draft-value.tsx';
import { changedFields, withFieldsOf } from './draft.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';
import type { EditorState } from './use-editor.ts';

interface ConflictDialogProps {
  readonly editor: EditorState;
  readonly conflict: NonNullable<EditorState['conflict']>;
}

const sides = ['theirs', 'yours'] as const;
type Side = (typeof sides)[number];

/** Shows what others changed in a page beside one's own draft, and saves what is chosen. Nothing is chosen in silence. */
export const ConflictDialog = ({ editor, conflict }: ConflictDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(pagesTexts);
  const { base, draft, save, resolve, giveUp } = editor;
  const drafts = { theirs: conflict.page.draft, yours: draft };
  const differing = new Set(changedFields(draft, drafts.theirs));
  const shown = changedFields(base.draft, drafts.theirs).filter((field) => differing.has(field));
  const own = new Set(changedFields(base.draft, draft));
  // what only they changed is theirs unless one says otherwise; what both changed is open
  const [choice, setChoice] = useState<ReadonlyMap<DraftField, Side>>(
    new Map(shown.filter((field) => !own.has(field)).map((field) => [field, 'theirs'])),
  );
  const choose = (fields: readonly DraftField[], side: Side) =>
    setChoice((before) => new Map([...before, ...fields.map((field) => [field, side] as const)]));
  const isOpen = shown.some((field) => !choice.has(field));
  const taken = shown.filter((field) => choice.get(field) === 'theirs');
  return (
    <Dialog
      title={texts.conflict.title}
      look="drawer"
      onClose={giveUp}
      actions={
        <>
          <Button onClick={giveUp}>{common.cancel}</Button>
          <Button
            look="primary"
            disabled={isOpen}
            isBusy={save.isPending}
            onClick={() => resolve(withFieldsOf(draft, drafts.theirs, taken), conflict)}
          >
            {texts.conflict.save}
          </Button>
        </>
      }
    >
      <div className={styles.conflict}>
        <p>
          {conflict.changedBy !== null && <strong>{texts.conflictBy(conflict.changedBy)} </strong>}
          {texts.conflict.text}
        </p>
        <div className={styles.buttons}>
          <Button onClick={() => choose(shown, 'theirs')}>{texts.conflict.allTheirs}</Button>
          <Button onClick={() => choose(shown, 'yours')}>{texts.conflict.allYours}</Button>
        </div>
        {shown.map((field) => (
          <fieldset key={field} className={styles.differing}>
            <legend>{texts.fields[field]}</legend>
            {sides.map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={field}
                  checked={choice.get(field) === side}
                  onChange={() => choose([field], side)}
                />
                <span className={styles.choice}>{texts.conflict[side]}</span>
                <DraftValue field={field} draft={drafts[side]} />
              </label>
            ))}
          </fieldset>
        ))}
        <p className={styles.hint}>{isOpen ? texts.conflict.choose : texts.conflictAlso}</p>
      </div>
    </Dialog>
  );
};
