import { type SubmitEvent, useState } from 'react';
import type { Page } from '../../../src/contract/pages.ts';
import { useMay } from '../../api/use-api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import styles from './style.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { PageForm } from './page-form.tsx';
import { Preview } from './preview.tsx';
import { SaveBar } from './save-bar.tsx';
import { pagesTexts } from './texts.ts';
import { useEditor } from './use-editor.ts';
import { useSwitch } from './use-switch.ts';

const views = ['edit', 'preview'] as const;

/** The URL of a page, and whether it is on. */
const PageState = ({ page }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts);
  const mayEdit = useMay('edit-pages');
  const change = useSwitch();
  const { id, slug, url, previewUrl, isOn } = page;
  return (
    <div className={styles.state}>
      <Switch
        isOn={isOn}
        name={texts.isOn(slug)}
        disabled={!mayEdit}
        isBusy={change.isPending}
        onChange={(wanted) => change.mutate({ id, slug, isOn: wanted })}
      >
        {isOn ? texts.on : texts.off}
      </Switch>
      <CopyButton text={url} what={url} />
      <a className={styles.open} href={isOn ? url : previewUrl} target="_blank" rel="noreferrer">
        {isOn ? texts.open : texts.openPreview}
        <Icon name="external" />
      </a>
      {change.error && <Failure error={change.error} />}
    </div>
  );
};

export const Editor = ({ page }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts);
  const mayEdit = useMay('edit-pages');
  const editor = useEditor(page);
  const [view, setView] = useState<(typeof views)[number]>('edit');
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (editor.isDirty) editor.saveDraft();
  };
  return (
    <>
      <ScreenHead title={page.slug} intro={mayEdit ? page.url : texts.readOnly}>
        <PageState page={page} />
      </ScreenHead>
      <div className={styles.views} role="group" aria-label={texts.views}>
        {views.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
            {texts[one]}
          </button>
        ))}
      </div>
      <div className={styles.editor} data-view={view}>
        <form className={styles.form} noValidate onSubmit={save}>
          <fieldset className={styles.fields} disabled={!mayEdit}>
            <PageForm editor={editor} />
          </fieldset>
          {mayEdit && <SaveBar editor={editor} />}
        </form>
        <div className={styles.side}>
          <Preview editor={editor} />
        </div>
      </div>
      {editor.conflict && (
        <ConflictDialog key={editor.conflict.page.version} editor={editor} conflict={editor.conflict} />
      )}
      <LeaveGuard isDirty={editor.isDirty} />
    </>
  );
};
