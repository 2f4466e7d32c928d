import type { DraftField, PageDraft } from '../../../src/contract/pages.ts';
import { languageNames, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

interface DraftValueProps {
  readonly field: DraftField;
  readonly draft: PageDraft;
}

/** The value of a field, as its form shows it. */
export const DraftValue = ({ field, draft }: DraftValueProps) => {
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
  }[field];
  return written === '' ? <em>{texts.conflict.empty}</em> : <span className={styles.written}>{written}</span>;
};
