import { useState } from 'react';
import type { PersonToErase, StartedErasure } from '../../../src/contract/erasures.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { erasureTexts } from './texts.ts';

interface PersonFormProps {
  readonly isBusy: boolean;
  readonly onCount: (person: PersonToErase) => void;
  /** What was counted is about somebody else. */
  readonly onChange: () => void;
}

export const PersonForm = ({ isBusy, onCount, onChange }: PersonFormProps) => {
  const texts = useTexts(erasureTexts);
  const [by, setBy] = useState<StartedErasure['by']>('email');
  const isEmail = by === 'email';
  return (
    <form
      className={styles.form}
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        const name = formText(new FormData(event.currentTarget), 'name').trim();
        onCount(isEmail ? { email: name } : { reference: name });
      }}
    >
      <Select
        label={texts.by}
        value={by}
        options={[
          { value: 'email', label: texts.bys.email },
          { value: 'reference', label: texts.bys.reference },
        ]}
        onChange={(value) => setBy(value === 'reference' ? 'reference' : 'email')}
      />
      <Field
        key={by}
        label={isEmail ? texts.emailField : texts.referenceField}
        hint={isEmail ? texts.emailHint : texts.referenceHint}
        name="name"
        inputMode={isEmail ? 'email' : 'text'}
        pattern={isEmail ? String.raw`\s*[^@\s]+@[^@\s]+\s*` : undefined}
        maxLength={isEmail ? 254 : 255}
        autoComplete="off"
        spellCheck={false}
        data-find
        required
      />
      <Button look="primary" icon="search" type="submit" isBusy={isBusy}>
        {texts.count}
      </Button>
    </form>
  );
};
