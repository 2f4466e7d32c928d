import type { ReactNode } from 'react';
import type { DraftField, PageDraft } from '../../../src/contract/pages.ts';
import { Field, Select } from '../../parts/field.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { languageNames, useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { AskedFields } from './asked-fields.tsx';
import { ColorField } from './color-field.tsx';
import { textsMax } from './draft.ts';
import styles from './style.module.css';
import { ImageField } from './image-field.tsx';
import { pagesTexts } from './texts.ts';
import type { EditorState } from './use-editor.ts';

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.group}>
    <h2>{title}</h2>
    {children}
  </section>
);

const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>, values: readonly Value[]) =>
  values.map((value) => ({ value, label: labels[value] }));

const onOneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

/** All fields of a page, in the order in which visitors meet them. */
export const PageForm = ({ editor: { draft, problems, set } }: { readonly editor: EditorState }) => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const isShown = draft.mode === 'page';
  const problemOf = (field: DraftField) => (problems.includes(field) ? texts.problems[field] : undefined);
  /** Of a field of text. */
  const text = (field: 'targetUrl' | 'title' | 'buttonLabel' | 'privacyUrl') => ({
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
  const modes: readonly PageDraft['mode'][] = ['page', 'direct'];
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
