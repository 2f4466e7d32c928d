import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

// of the landing page
const standard = '#1f4fd8';
const isColor = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);

interface ColorFieldProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (field: 'accentColor', value: string) => void;
}

/** A colour, to choose or to type. Empty: the standard colour. */
export const ColorField = ({ value, problem, onChange }: ColorFieldProps) => {
  const texts = useTexts(pagesTexts);
  const set = (event: { readonly target: { readonly value: string } }) => onChange('accentColor', event.target.value);
  return (
    <div className={styles.color}>
      <Field
        label={texts.fields.accentColor}
        hint={texts.hints.accentColor}
        problem={problem}
        placeholder={texts.defaultColor}
        value={value}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        onChange={set}
      />
      <input
        type="color"
        aria-label={texts.fields.accentColor}
        value={isColor(value) ? value.toLowerCase() : standard}
        onChange={set}
      />
      {value !== '' && (
        <Button look="quiet" icon="close" aria-label={texts.defaultColor} onClick={() => onChange('accentColor', '')} />
      )}
    </div>
  );
};
