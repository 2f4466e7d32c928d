import { useEffect, useRef, useState } from 'react';
import type { previewFields } from '../../../src/contract/pages.ts';
import { useApi } from '../../api/use-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { previewPath } from './queries.ts';
import { pagesTexts } from './texts.ts';
import type { EditorState } from './use-editor.ts';

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
export const Preview = ({ editor: { settled, check } }: { readonly editor: EditorState }) => {
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
