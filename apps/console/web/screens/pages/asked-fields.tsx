import { useId } from 'react';
import type { PageDraft } from '../../../src/contract/pages.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

type Asked = PageDraft['askedFields'];

const all: Asked = ['name', 'email', 'phone'];

interface AskedFieldsProps {
  readonly value: Asked;
  readonly onChange: (field: 'askedFields', value: Asked) => void;
}

/** What the form of the page asks for; the form always has the same order. */
export const AskedFields = ({ value, onChange }: AskedFieldsProps) => {
  const texts = useTexts(pagesTexts);
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={id}>
      <legend>{texts.fields.askedFields}</legend>
      <div className={styles.checks}>
        {all.map((field) => (
          <label key={field} className={styles.check}>
            <input
              type="checkbox"
              checked={value.includes(field)}
              onChange={({ target }) =>
                onChange(
                  'askedFields',
                  all.filter((one) => (one === field ? target.checked : value.includes(one))),
                )
              }
            />
            {texts.asked[field]}
          </label>
        ))}
      </div>
      <p id={id} className={styles.hint}>
        {texts.hints.askedFields}
      </p>
    </fieldset>
  );
};
