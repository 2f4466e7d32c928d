import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { DraftField, PageDraft } from '../../../src/contract/pages.ts';
import { ApiError, useApi } from '../../api.ts';
import { Button, classNames } from '../../parts/button.tsx';
import { Field, Select, TextArea } from '../../parts/form.tsx';
import { Failure } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { languageNames, useFormat, useTexts } from '../../text/language.tsx';
import { type EditorState, textsMax } from './draft.ts';
import { uploadImage } from './queries.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

type Asked = PageDraft['askedFields'];

const all: Asked = ['name', 'email', 'phone'];

interface AskedFieldsProps {
  readonly value: Asked;
  readonly onChange: (field: 'askedFields', value: Asked) => void;
}

/** What the form of the page asks for; the form always has the same order. */
const AskedFields = ({ value, onChange }: AskedFieldsProps) => {
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
      <p id={id} className="small">
        {texts.hints.askedFields}
      </p>
    </fieldset>
  );
};

// of the landing page
const standard = '#1f4fd8';
const isColor = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);

interface ColorFieldProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (field: 'accentColor', value: string) => void;
}

/** A colour, to choose or to type. Empty: the standard colour. */
const ColorField = ({ value, problem, onChange }: ColorFieldProps) => {
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

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

interface UploadButtonProps {
  readonly label: string;
  /** What the file is for. */
  readonly name: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}

/** The browser's own field for a file, as a button. */
const UploadButton = ({ label, name, isBusy, onFile }: UploadButtonProps) => (
  <label className={classNames(styles.upload, isBusy && styles.busy)}>
    {label}
    <input
      className="visually-hidden"
      type="file"
      accept={types}
      aria-label={`${label}: ${name}`}
      disabled={isBusy}
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        // the same file can be chosen again
        target.value = '';
        if (file) onFile(file);
      }}
    />
  </label>
);

type Image = PageDraft['logo'];

const bytesMax = 512 * 1024;

class TooLarge extends Error {}

/** What is wrong with the file; undefined: nothing is, but the upload failed. */
const problemIn = (error: Error | null, texts: (typeof pagesTexts)['en']['imageProblems']): string | undefined => {
  if (error instanceof TooLarge) return texts.size;
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 413) return texts.size;
  if (error.status === 429) return texts.often;
  return error.status === 400 || error.status === 415 ? texts.type : undefined;
};

interface ImageFieldProps {
  readonly field: 'logo' | 'hero';
  readonly value: Image;
  readonly problem: string | undefined;
  readonly onChange: (field: 'logo' | 'hero', value: Image) => void;
}

/** An image: uploaded, or at a URL of another server. */
const ImageField = ({ field, value, problem, onChange }: ImageFieldProps) => {
  const texts = useTexts(pagesTexts);
  const id = useId();
  const api = useApi();
  const account = useAccountId();
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > bytesMax) throw new TooLarge();
      return uploadImage(api, account, file);
    },
    onSuccess: (stored) => onChange(field, { alt: value?.alt ?? '', ...stored }),
  });
  const isUploaded = value?.src.startsWith('/media/') === true;
  const wrong = problemIn(upload.error, texts.imageProblems) ?? problem;
  return (
    <fieldset className={styles.image} aria-describedby={id}>
      <legend>{texts.fields[field]}</legend>
      {value && isUploaded && (
        <p className={styles.thumbnail}>
          <img src={value.src} alt="" />
          <span>
            {texts.image.uploaded}
            {value.width !== undefined && value.height !== undefined && (
              <small>{texts.imageSize(value.width, value.height)}</small>
            )}
          </span>
        </p>
      )}
      {value && !isUploaded && (
        <Field
          label={texts.image.url}
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          value={value.src}
          onChange={({ target }) => onChange(field, { src: target.value, alt: value.alt })}
        />
      )}
      <div className="tools">
        <UploadButton
          label={isUploaded ? texts.image.replace : texts.image.upload}
          name={texts.fields[field]}
          isBusy={upload.isPending}
          onFile={(file) => upload.mutate(file)}
        />
        {!value && (
          <Button look="quiet" onClick={() => onChange(field, { src: '', alt: '' })}>
            {texts.image.useUrl}
          </Button>
        )}
        {value && (
          <Button
            look="quiet"
            aria-label={`${texts.image.remove}: ${texts.fields[field]}`}
            onClick={() => {
              upload.reset();
              onChange(field, null);
            }}
          >
            {texts.image.remove}
          </Button>
        )}
      </div>
      {wrong === undefined && upload.error && <Failure error={upload.error} />}
      <p id={id} className={wrong === undefined ? 'small' : 'wrong'}>
        {wrong ?? texts.hints[field]}
      </p>
      {value && (
        <Field
          label={texts.image.alt}
          hint={texts.image.altHint}
          value={value.alt}
          maxLength={textsMax.alt}
          onChange={({ target }) => onChange(field, { ...value, alt: target.value })}
        />
      )}
    </fieldset>
  );
};

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.group}>
    <h2>{title}</h2>
    {children}
  </section>
);

const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>, values: readonly NoInfer<Value>[]) =>
  values.map((value) => ({ value, label: labels[value] }));

const onOneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

/** All fields of a page, in the order in which visitors meet them. */
export const PageForm = ({ editor: { draft, problems, set } }: { readonly editor: EditorState }) => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const isShown = draft.mode === 'page';
  const problemOf = (field: DraftField) => (problems.includes(field) ? texts.problems[field] : undefined);
  /** Of a field of text. */
  const text = (field: 'targetUrl' | 'title' | 'buttonLabel' | 'privacyUrl' | 'passedParameters') => ({
    label: texts.fields[field],
    hint: texts.hints[field],
    problem: problemOf(field),
    value: draft[field],
    onChange: (event: { readonly target: { readonly value: string } }) => set(field, event.target.value),
  });
  const long = (field: 'text' | 'consentText', change: (typed: string) => string) => ({
    label: texts.fields[field],
    hint: (
      <>
        <span>{texts.hints[field]}</span>{' '}
        {draft[field] !== '' && (
          <span className={styles.used}>
            {texts.used(format.count(draft[field].length), format.count(textsMax[field]))}
          </span>
        )}
      </>
    ),
    maxLength: textsMax[field],
    problem: problemOf(field),
    value: draft[field],
    onChange: (event: { readonly target: { readonly value: string } }) => set(field, change(event.target.value)),
  });
  // a page with the script has origins, which make it one
  const modes: readonly PageDraft['mode'][] = draft.mode === 'script' ? ['script'] : ['page', 'direct'];
  return (
    <>
      <Group title={texts.groups.target}>
        <Select
          label={texts.fields.mode}
          value={draft.mode}
          options={optionsOf(texts.modes, modes)}
          onChange={(mode) => set('mode', mode)}
        />
        <Field {...text('targetUrl')} inputMode="url" placeholder="https://" autoComplete="off" />
        <Field {...text('passedParameters')} placeholder="known" autoComplete="off" />
      </Group>
      {isShown && (
        <>
          <Group title={texts.groups.content}>
            <Field {...text('title')} maxLength={textsMax.title} />
            <TextArea {...long('text', (typed) => typed)} rows={5} />
            <Field {...text('buttonLabel')} maxLength={textsMax.buttonLabel} />
            <Select
              label={texts.fields.language}
              value={draft.language}
              options={optionsOf(languageNames, ['en', 'es', 'pt'])}
              onChange={(language) => set('language', language)}
            />
          </Group>
          <Group title={texts.groups.look}>
            <ImageField field="logo" value={draft.logo} problem={problemOf('logo')} onChange={set} />
            <ImageField field="hero" value={draft.hero} problem={problemOf('hero')} onChange={set} />
            <ColorField value={draft.accentColor} problem={problemOf('accentColor')} onChange={set} />
          </Group>
          <Group title={texts.groups.form}>
            <AskedFields value={draft.askedFields} onChange={set} />
          </Group>
        </>
      )}
      {(isShown || draft.consentText !== '') && (
        <Group title={texts.groups.privacy}>
          <TextArea {...long('consentText', onOneLine)} rows={2} />
          {draft.consentText !== '' && (
            <Select
              label={texts.fields.consentScope}
              value={draft.consentScope}
              options={optionsOf(texts.scopes, ['sharing', 'personalisation'])}
              onChange={(scope) => set('consentScope', scope)}
            />
          )}
          {isShown && <Field {...text('privacyUrl')} inputMode="url" placeholder="https://" autoComplete="off" />}
        </Group>
      )}
    </>
  );
};
