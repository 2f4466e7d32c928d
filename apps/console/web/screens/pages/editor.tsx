import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { lazy, type SubmitEvent, Suspense, useEffect, useRef, useState } from 'react';
import type { DraftField, Page, PageDraft, previewFields } from '../../../src/contract/pages.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Card, Loaded, ScreenHead, Skeleton, backLook } from '../../parts/layout.tsx';
import { Empty, Failure } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { languageNames, useTexts } from '../../text/language.tsx';
import { AdUrls } from './ad-urls.tsx';
import { changedFields, type EditorState, useEditor, withFieldsOf } from './draft.ts';
import { PageForm } from './form.tsx';
import { DeletePage, PageState } from './page-parts.tsx';
import { pageQuery, previewPath } from './queries.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

interface DraftValueProps {
  readonly field: DraftField;
  readonly draft: PageDraft;
}

/** The value of a field, as its form shows it. */
const DraftValue = ({ field, draft }: DraftValueProps) => {
  const texts = useTexts(pagesTexts);
  if (field === 'logo' || field === 'hero') {
    const image = draft[field];
    if (!image) return <em>{texts.conflict.empty}</em>;
    return (
      <span className={styles.thumbnail}>
        {image.src.startsWith('/media/') ? <img src={image.src} alt="" /> : <span>{image.src}</span>}
        {image.alt !== '' && <small>{image.alt}</small>}
      </span>
    );
  }
  const written = {
    mode: texts.modes[draft.mode],
    language: languageNames[draft.language],
    consentScope: texts.scopes[draft.consentScope],
    askedFields: draft.askedFields.map((asked) => texts.asked[asked]).join(', '),
    targetUrl: draft.targetUrl,
    title: draft.title,
    text: draft.text,
    buttonLabel: draft.buttonLabel,
    accentColor: draft.accentColor,
    consentText: draft.consentText,
    privacyUrl: draft.privacyUrl,
    passedParameters: draft.passedParameters,
  }[field];
  return written === '' ? <em>{texts.conflict.empty}</em> : <span className={styles.written}>{written}</span>;
};

interface ConflictDialogProps {
  readonly editor: EditorState;
  readonly conflict: NonNullable<EditorState['conflict']>;
}

const sides = ['theirs', 'yours'] as const;
type Side = (typeof sides)[number];

/** Shows what others changed in a page beside one's own draft, and saves what is chosen. Nothing is chosen in silence. */
const ConflictDialog = ({ editor, conflict }: ConflictDialogProps) => {
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
      <div className="column">
        <p>
          {conflict.changedBy !== null && <strong>{texts.conflictBy(conflict.changedBy)} </strong>}
          {texts.conflict.text}
        </p>
        <div className="tools">
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
        <p className="small">{isOpen ? texts.conflict.choose : texts.conflictAlso}</p>
      </div>
    </Dialog>
  );
};

/** Asks before unsaved changes are left; the browser asks before it closes the tab. */
const LeaveGuard = ({ isDirty }: { readonly isDirty: boolean }) => {
  const texts = useTexts(pagesTexts).leave;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      title={texts.title}
      onClose={reset}
      actions={
        <>
          <Button onClick={proceed}>{texts.leave}</Button>
          <Button look="primary" onClick={reset} data-focus>
            {texts.stay}
          </Button>
        </>
      }
    >
      {texts.text}
    </Dialog>
  );
};

const fieldNames: typeof previewFields = { csrf: 'csrf', draft: 'draft' };
const frameName = (id: number): string => `preview-${id}`;

interface Frames {
  /** What is visible. */
  readonly shown: number;
  /** What replaces it once it has loaded. */
  readonly next: number;
  /** The draft that `next` is of. */
  readonly draft: string;
}

/**
 * A form posts the draft into a frame without scripts or an origin of its own. Each draft gets a new frame, so that the
 * one before stays visible until it has loaded, and the browser's history has no entry for it.
 */
const Frame = ({ draft }: { readonly draft: string }) => {
  const texts = useTexts(pagesTexts);
  const account = useAccountId();
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const token = useRef<HTMLInputElement>(null);
  const posted = useRef(0);
  const [{ shown, next, draft: current }, setFrames] = useState<Frames>({ shown: 0, next: 1, draft });
  if (current !== draft) setFrames({ shown, next: next + 1, draft });
  useEffect(() => {
    // a new frame loads an empty page first
    posted.current = next;
    // of now: the person may have signed in again, even in another tab
    if (token.current) token.current.value = api.token() ?? '';
    form.current?.submit();
  }, [api, next]);
  return (
    <>
      <form ref={form} hidden method="post" action={previewPath(account)} target={frameName(next)}>
        <input ref={token} type="hidden" name={fieldNames.csrf} />
        <input type="hidden" name={fieldNames.draft} value={draft} />
      </form>
      <div className={styles.frames} aria-busy={shown !== next}>
        {[...new Set([shown, next])]
          .filter((id) => id > 0)
          .map((id) => (
            <iframe
              key={id}
              name={frameName(id)}
              title={texts.preview}
              sandbox=""
              data-loading={id !== shown}
              onLoad={() => {
                if (posted.current === id)
                  setFrames((frames) => (frames.next === id ? { ...frames, shown: id } : frames));
              }}
            />
          ))}
      </div>
    </>
  );
};

/** The draft as visitors would see it; it follows what is typed. */
const Preview = ({ editor: { settled, check } }: { readonly editor: EditorState }) => {
  const texts = useTexts(pagesTexts);
  const [last, setLast] = useState<string>();
  const now = JSON.stringify(settled);
  // the check tells first if the person is signed out
  if (check.isSuccess && last !== now) setLast(now);
  return (
    <Card title={texts.preview}>
      {check.error && <Failure error={check.error} onRetry={() => void check.refetch()} />}
      {settled.mode === 'direct' ? (
        <Empty icon="external" title={texts.previewDirect}>
          {texts.previewDirectText(settled.targetUrl)}
        </Empty>
      ) : (
        <>
          {last !== undefined && <Frame draft={last} />}
          <p className={styles.previewHint}>{texts.previewHint}</p>
        </>
      )}
    </Card>
  );
};

const toMarked = () => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();

/** Whether anything is unsaved, and what to do about it. Always in reach. */
const SaveBar = ({ editor: { isDirty, problems, save, discard } }: { readonly editor: EditorState }) => {
  const texts = useTexts(pagesTexts);
  const hasProblems = isDirty && problems.length > 0;
  return (
    <div className={styles.bar}>
      {save.error && <Failure error={save.error} />}
      <p role="status" data-dirty={isDirty}>
        {hasProblems ? texts.correct : isDirty ? texts.unsaved : texts.allSaved}
      </p>
      {hasProblems && <Button onClick={toMarked}>{texts.toMarked}</Button>}
      {isDirty && <Button onClick={discard}>{texts.discard}</Button>}
      <Button look="primary" type="submit" disabled={!isDirty || hasProblems} isBusy={save.isPending}>
        {texts.save}
      </Button>
    </div>
  );
};

const views = ['edit', 'preview'] as const;

const Editor = ({ page }: { readonly page: Page }) => {
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
      <AdUrls page={page} />
      {mayEdit && <DeletePage page={page} />}
      {editor.conflict && (
        <ConflictDialog key={editor.conflict.page.version} editor={editor} conflict={editor.conflict} />
      )}
      <LeaveGuard isDirty={editor.isDirty} />
    </>
  );
};

const ScriptPage = lazy(async () => ({ default: (await import('./script-page.tsx')).ScriptPage }));

const ServerWay = lazy(async () => ({ default: (await import('./server-way.tsx')).ServerWay }));

/** The page of clicks that the advertiser's own server reports: visitors never see it. */
const ServerPage = ({ page: { slug, apiUrl } }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts);
  return (
    <>
      <ScreenHead title={texts.server} intro={texts.serverIntro(slug)} />
      <Suspense fallback={<Skeleton lines={12} />}>
        <ServerWay apiUrl={apiUrl} />
      </Suspense>
    </>
  );
};

const route = getRouteApi('/signed-in/a/$account/pages/$page');

/** One page: its content at the left, what visitors see at the right. */
export const EditorScreen = () => {
  const texts = useTexts(pagesTexts);
  const { account, page } = route.useParams();
  const query = useQuery(pageQuery(useApi(), account, page));
  const mayEdit = useMay('edit-pages');
  return (
    <>
      <Link className={backLook} to="/a/$account/pages" params={{ account }}>
        <Icon name="left" />
        {texts.all}
      </Link>
      <Loaded query={query} lines={12}>
        {(found) =>
          found.isOfServer ? (
            <ServerPage page={found} />
          ) : found.script === null ? (
            <Editor key={found.id} page={found} />
          ) : (
            <Suspense fallback={<Skeleton lines={12} />}>
              <ScriptPage key={found.id} page={found} script={found.script} state={<PageState page={found} />}>
                <AdUrls page={{ ...found, url: found.draft.targetUrl }} />
                {mayEdit && <DeletePage page={found} />}
              </ScriptPage>
            </Suspense>
          )
        }
      </Loaded>
    </>
  );
};
