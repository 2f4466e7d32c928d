import type { Language } from '@leadback/domain';
import { csvRows } from '@leadback/domain/csv';
import { useId } from 'react';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import { showToast } from './notices.tsx';
import styles from './parts.module.css';

/** Copies a text. `what` names it. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const texts = useTexts(commonTexts);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    showToast(texts.copied);
  };
  return <Button look="quiet" icon="copy" aria-label={`${texts.copy}: ${what}`} onClick={() => void copy()} />;
};

/** A secret to copy. It is not stored, so nobody can show it again. */
export const ShownOnce = ({ title, value }: { readonly title: string; readonly value: string }) => {
  const id = useId();
  return (
    <div>
      <p id={id} className={styles.shownOnceTitle}>
        {title}
      </p>
      <p className={styles.value}>
        <code aria-labelledby={id}>{value}</code>
        <CopyButton text={value} what={title} />
      </p>
    </div>
  );
};

/** Saves a text as a file. */
export const download = (name: string, text: string, type: 'text/csv' | 'application/json'): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Saves a table as a file that spreadsheets of the language open by themselves: some expect `;` and a decimal comma. */
export const downloadTable = (name: string, language: Language, rows: readonly (readonly unknown[])[]): void => {
  const byteOrderMark = '\uFEFF'; // else Excel takes UTF-8 for another encoding
  const text = language === 'en' ? csvRows(rows) : byteOrderMark + csvRows(rows, ';', ',');
  download(name, text, 'text/csv');
};
