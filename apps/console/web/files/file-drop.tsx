import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { classNames } from '../parts/class-names.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { useFormat } from '../text/use-format.ts';
import styles from './style.module.css';
import { filesTexts } from './texts.ts';
import type { Uploading } from './use-upload.ts';

const bytesMax = 50 * 2 ** 20;
const spreadsheet = /\.(xlsx?|xlsm|ods|numbers)$/i;

const problemOf = ({ name, size }: File): 'tooLarge' | 'empty' | 'spreadsheet' | undefined => {
  if (spreadsheet.test(name)) return 'spreadsheet';
  if (size === 0) return 'empty';
  return size > bytesMax ? 'tooLarge' : undefined;
};

interface FileDropProps {
  readonly uploading: Uploading;
  readonly onFile: (file: File) => void;
}

const Sending = ({ uploading: { fileName = '', share = 0, cancel } }: Pick<FileDropProps, 'uploading'>) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(filesTexts);
  const format = useFormat();
  return (
    <div className={styles.sending} role="status">
      <p className={styles.line}>
        <strong>{fileName}</strong>
        <span>{share < 1 ? texts.sending(format.percent(share)) : texts.storing}</span>
      </p>
      <progress value={share < 1 ? share : undefined} aria-label={texts.progress} />
      <p className={styles.line}>
        <span className={styles.dropNote}>{texts.stay}</span>
        <Button onClick={cancel}>{common.cancel}</Button>
      </p>
    </div>
  );
};

/** Takes a CSV file that is dropped or chosen, and shows how much of it was sent. */
export const FileDrop = ({ uploading, onFile }: FileDropProps) => {
  const texts = useTexts(filesTexts);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<ReturnType<typeof problemOf>>();
  if (uploading.share !== undefined) return <Sending uploading={uploading} />;
  return (
    <>
      <label className={classNames(styles.drop, isOver && styles.over)}>
        <span className={styles.icon}>
          <Icon name="upload" />
        </span>
        <strong>{texts.drop}</strong>
        <span className={styles.dropNote}>{texts.limits}</span>
        {problem && (
          <span className={styles.problem} role="alert">
            {texts.problems[problem]}
          </span>
        )}
        <input
          type="file"
          accept=".csv,text/csv"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (!file) return;
            const found = problemOf(file);
            setProblem(found);
            if (found === undefined) onFile(file);
            // the same file may be chosen again, when it is corrected
            target.value = '';
          }}
        />
      </label>
      {uploading.error && <Failure error={uploading.error} />}
    </>
  );
};
