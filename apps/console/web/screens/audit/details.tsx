import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { auditTexts } from './texts.ts';

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value;

const useWords = (): ((value: unknown) => string) => {
  const texts = useTexts(auditTexts);
  const words = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return texts.nothing;
    if (typeof value === 'boolean') return value ? texts.yes : texts.no;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (Array.isArray(value)) return value.length === 0 ? texts.nothing : value.map(words).join(', ');
    return JSON.stringify(value);
  };
  return words;
};

const Value = ({ value }: { readonly value: unknown }) => {
  const texts = useTexts(auditTexts);
  const words = useWords();
  if (!isChange(value)) return words(value);
  return (
    <>
      <span className="visually-hidden">{texts.before} </span>
      <del>{words(value.before)}</del> → <span className="visually-hidden">{texts.after} </span>
      <ins>{words(value.after)}</ins>
    </>
  );
};

/** The facts of an entry; of a field that changed, what it was and what it is. */
export const Details = ({ details }: { readonly details: Readonly<Record<string, unknown>> }) => {
  const fields: Readonly<Record<string, string>> = useTexts(auditTexts).fields;
  const facts = Object.entries(details);
  if (facts.length === 0) return null;
  return (
    <dl className={styles.details}>
      {facts.map(([field, value]) => (
        <div key={field}>
          <dt>{fields[field] ?? field}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
};
