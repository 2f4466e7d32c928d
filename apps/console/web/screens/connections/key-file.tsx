import { useId, useState } from 'react';
import type { FormField } from '../../../src/contract/connections.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';
import type { FieldText } from './field-texts/field-text.ts';
import type { Form } from './use-form.ts';

interface KeyFileProps {
  readonly field: FormField;
  readonly text: FieldText;
  readonly form: Form;
  readonly problem: string | undefined;
}

const bytesMax = 20_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readKey = async (file: File): Promise<Record<string, unknown> | undefined> => {
  if (file.size > bytesMax) return undefined;
  try {
    const content: unknown = JSON.parse(await file.text());
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
};

/** A key that the platform gives as a file of JSON. It is read here and sent as it is. */
export const KeyFile = ({ field, text, form, problem }: KeyFileProps) => {
  const texts = useTexts(connectionTexts);
  const id = useId();
  const [isBroken, setBroken] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return form.keep(field);
    const key = await readKey(file);
    setBroken(key === undefined);
    if (key) form.type(field, key);
    else form.keep(field);
  };
  const said = isBroken ? texts.notAKey : problem;
  return (
    <div className={styles.file}>
      <label htmlFor={id}>{text.label}</label>
      <input
        id={id}
        type="file"
        accept="application/json,.json"
        aria-invalid={said !== undefined}
        aria-describedby={`${id}help ${id}said`}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <p id={`${id}help`} className={styles.small}>
        {text.help}
      </p>
      <p id={`${id}said`} className={styles.problem}>
        {said}
      </p>
    </div>
  );
};
