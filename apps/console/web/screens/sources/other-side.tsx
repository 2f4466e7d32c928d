import type { SourceKind } from '../../../src/contract/sources.ts';
import { CopyButton, ShownOnce } from '../../parts/copy.tsx';
import { Badge } from '../../parts/values.tsx';
import { useLanguage, useTexts } from '../../text/language.tsx';
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

/** Said until something has come. */
export const WaitingForFirst = ({ kind }: { readonly kind: SourceKind }) => {
  const texts = useTexts(sourceTexts);
  return (
    <p className={styles.waiting} role="status">
      <Badge tone="accent">{texts.first}</Badge>
      <span className={styles.small}>{kind.query ? texts.firstHelpOpen : texts.firstHelp}</span>
    </p>
  );
};
