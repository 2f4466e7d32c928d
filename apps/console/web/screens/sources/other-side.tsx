import type { ReactNode } from 'react';
import type { Source, SourceKind } from '../../../src/contract/sources.ts';
import { CopyButton, ShownOnce } from '../../parts/copy.tsx';
import { Badge, Time, type Tone } from '../../parts/values.tsx';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { sourceListTexts } from './list-texts.ts';
import styles from './style.module.css';
import { sourceTexts } from './texts.ts';

export const Copied = ({ title, value }: { readonly title: string; readonly value: string }) => (
  <div className={styles.value}>
    <span>{title}</span>
    <p>
      <code>{value}</code>
      <CopyButton text={value} what={title} />
    </p>
  </div>
);

interface Typed {
  readonly valueOf: (field: SourceKind['fields'][number]) => string;
}

/** The fields of a kind that say something with what is typed in the others. */
export const askedFields = ({ fields }: SourceKind, { valueOf }: Typed): SourceKind['fields'] =>
  fields.filter(({ onlyWith }) => {
    const other = fields.find(({ name }) => name === onlyWith?.name);
    return onlyWith === null || (other !== undefined && valueOf(other) === onlyWith.value);
  });

/** How the other side is called: what is not made by one firm has no name. */
export const useOtherTitle = ({ title, query, hasMap }: SourceKind): string => {
  const texts = useTexts(sourceTexts);
  return query !== null || hasMap ? texts.otherUnnamed : texts.other(title);
};

interface OtherSideProps {
  readonly kind: SourceKind;
  /** Null: the person may not see it. */
  readonly url: string | null;
  /** That was made now: it is shown once. */
  readonly secret?: string | null;
}

/** What to do at the other side, with what is typed there. */
export const OtherSide = ({ kind, url, secret = null }: OtherSideProps) => {
  const texts = useTexts(sourceTexts);
  const { language } = useLanguage();
  const { steps, test } = kind.texts[language];
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {url !== null && (
        <div className={styles.values}>
          <Copied title={texts.address} value={url} />
          {kind.query && <Copied title={texts.template} value={`${url}?${kind.query.template}`} />}
          {secret !== null && (
            <>
              <ShownOnce title={texts.secret} value={secret} />
              <p className={styles.small}>{texts.secretOnce}</p>
            </>
          )}
          {secret === null && kind.makesSecret && <p className={styles.small}>{texts.secretWasShown}</p>}
        </div>
      )}
      <div className={styles.said}>
        <p>{texts.testTitle}</p>
        <p>{test}</p>
        {kind.query && url !== null && (
          <p>
            <a href={`${url}?${kind.query.test}`} target="_blank" rel="noreferrer">
              {texts.testCall}
            </a>
          </p>
        )}
        <p>
          <a href={kind.page} target="_blank" rel="noreferrer">
            {texts.page}
          </a>
        </p>
      </div>
    </>
  );
};

interface FirstMessageProps {
  readonly kind: SourceKind;
  /** Undefined: it is not read yet. */
  readonly source: Source | undefined;
}

const said = (tone: Tone, state: string, more?: ReactNode) => (
  <p className={styles.waiting} role="status">
    <Badge tone={tone}>{state}</Badge>
    <span className={styles.small}>{more}</span>
  </p>
);

/** Turns green by itself once something has come, and red if that has a wrong signature. */
export const FirstMessage = ({ kind, source }: FirstMessageProps) => {
  const texts = useTexts(sourceTexts);
  const list = useTexts(sourceListTexts);
  const format = useFormat();
  if (source !== undefined && source.received > 0) return said('good', texts.arrived);
  if (source === undefined || source.refusedAt === null) {
    return said('accent', texts.first, kind.query ? texts.firstHelpOpen : texts.firstHelp);
  }
  return said(
    'bad',
    list.health.unsigned,
    <>
      {texts.refused(format.count(source.refused))} <Time at={source.refusedAt} look="ago" />. {texts.secretsDiffer}
    </>,
  );
};
