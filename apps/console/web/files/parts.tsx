import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Money } from '../../src/contract/values.ts';
import { Button, classNames, Icon } from '../parts/button.tsx';
import { Card } from '../parts/layout.tsx';
import { Failure } from '../parts/notices.tsx';
import { Amounts } from '../parts/values.tsx';
import { commonTexts } from '../text/common.ts';
import { useFormat, useTexts } from '../text/language.tsx';
import styles from './style.module.css';
import { filesTexts } from './texts.ts';
import { type Upload, type Uploading, useUpload } from './transfer.ts';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of few, all visible. */
export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const bytesMax = 50 * 2 ** 20;
const otherSpreadsheet = /\.(xls|xlsb|ods|numbers)$/i;

const problemOf = ({ name, size }: File): 'tooLarge' | 'empty' | 'spreadsheet' | undefined => {
  if (otherSpreadsheet.test(name)) return 'spreadsheet';
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

/** Takes a CSV file or a workbook that is dropped or chosen, and shows how much of it was sent. */
const FileDrop = ({ uploading, onFile }: FileDropProps) => {
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
          accept=".csv,text/csv,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
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

interface AskedFile {
  readonly file: File;
  readonly isSending: boolean;
  /** Sends it, with this beside. */
  readonly onSend: (query: Upload['query']) => void;
  readonly onClose: () => void;
}

/** What appears in the place of what had the focus takes it. */
const focusOn = (element: HTMLElement | null) => element?.focus();

interface NewFileProps {
  readonly title: string;
  /** Where it is sent. */
  readonly path: string;
  readonly query: Upload['query'];
  /** Of the list that has it then. */
  readonly listKey: readonly unknown[];
  readonly onStored: (id: string) => void;
  /** What is to be answered of a chosen file before it is sent; without it, a file is sent at once. */
  readonly ask?: (asked: AskedFile) => ReactNode;
  /** What else is to be chosen. */
  readonly children: ReactNode;
  readonly hint: ReactNode;
}

/** Sends a file of live or test data. */
export const NewFile = ({ title, path, query, listKey, onStored, ask, children, hint }: NewFileProps) => {
  const texts = useTexts(filesTexts);
  const client = useQueryClient();
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const uploading = useUpload(({ id }) => {
    void client.invalidateQueries({ queryKey: listKey });
    onStored(String(id));
  });
  const [asked, setAsked] = useState<File>();
  const send = (file: File, answers: Upload['query'] = {}) => {
    const about = { ...query, ...answers, test: String(mode === 'test'), name: file.name.slice(0, 255) };
    uploading.send({ path, query: about, file });
  };
  return (
    <Card title={title}>
      <div className="card-body">
        <div className={styles.choices}>
          {children}
          <Choice
            label={texts.mode}
            value={mode}
            options={[
              { value: 'live', label: texts.live },
              { value: 'test', label: texts.test },
            ]}
            onChange={setMode}
          />
        </div>
        {asked && ask ? (
          <section className={styles.asked} ref={focusOn} tabIndex={-1} aria-label={asked.name}>
            {ask({
              file: asked,
              isSending: uploading.share !== undefined,
              onSend: (answers) => send(asked, answers),
              onClose: () => setAsked(undefined),
            })}
            {uploading.share !== undefined && <Sending uploading={uploading} />}
            {uploading.error && <Failure error={uploading.error} />}
          </section>
        ) : (
          <>
            <FileDrop uploading={uploading} onFile={ask ? setAsked : send} />
            <p className={styles.hint}>{hint}</p>
          </>
        )}
      </div>
    </Card>
  );
};

/** What a person should know before going on. */
export const Notices = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length > 0 && (
    <ul className={styles.notices}>
      {texts.map((text) => (
        <li key={text} className={styles.notice}>
          <Icon name="undelivered" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );

interface ProgressProps {
  readonly text: string;
  readonly note?: string | undefined;
  readonly done: number;
  readonly total: number;
}

/** Work that goes on at the server; the page may be left. */
export const Progress = ({ text, note, done, total }: ProgressProps) => (
  <div className={styles.progress} role="status">
    <strong>{text}</strong>
    <progress value={done} max={Math.max(total, 1)} aria-label={text} />
    {note !== undefined && <p className="small">{note}</p>}
  </div>
);

export interface Tile {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly money?: readonly Money[];
  /** Only if there are any. */
  readonly tone?: 'good' | 'bad' | 'warn';
}

/** Counts side by side. */
export const Tiles = ({ tiles }: { readonly tiles: readonly Tile[] }) => {
  const format = useFormat();
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ key, title, count, money = [], tone }) => (
        <div key={key} className={styles.tile}>
          <dt>{title}</dt>
          <dd className={classNames(styles.count, count > 0 && tone && styles[tone])}>{format.count(count)}</dd>
          {money.length > 0 && (
            <dd className={styles.money}>
              <Amounts money={money} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};
