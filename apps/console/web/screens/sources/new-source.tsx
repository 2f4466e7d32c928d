import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedSourceReply, SourceKind } from '../../../src/contract/sources.ts';
import { useApi } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Field } from '../../parts/form.tsx';
import { backLook, Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { useLanguage, useTexts } from '../../text/language.tsx';
import { FieldInputs, useFields } from '../connections/form.tsx';
import { problemsIn, Wrong } from '../connections/parts.tsx';
import looks from '../connections/style.module.css';
import { connectionTexts } from '../connections/texts.ts';
import { askedFields, FirstMessage, OtherSide, useOtherTitle } from './other-side.tsx';
import { createSource, kindsQuery, sourceQuery, useSourcesChanged } from './queries.ts';
import styles from './style.module.css';
import { sourceTexts } from './texts.ts';

interface OfKind {
  readonly account: string;
  readonly kind: SourceKind;
}

interface CreatedProps extends OfKind {
  readonly created: CreatedSourceReply;
}

/** What to do at the other side while the secret is shown, until the first message has come. */
const Created = ({ account, kind, created: { id, url, secret } }: CreatedProps) => {
  const texts = useTexts(sourceTexts);
  const title = useOtherTitle(kind);
  const navigate = useNavigate();
  const { data } = useQuery(sourceQuery(useApi(), account, String(id)));
  const hasArrived = data !== undefined && data.source.received > 0;
  const isSecretMissing =
    data?.secrets?.includes('secret') === false && kind.fields.some(({ name }) => name === 'secret');
  const unshown = isSecretMissing ? texts.enterSecret : texts.done;
  const waiting = secret === null ? unshown : texts.stored;
  const nextStep = hasArrived ? texts.toSource : waiting;
  return (
    <Card title={title}>
      <div className={styles.body}>
        <OtherSide kind={kind} url={url} secret={secret} />
        <FirstMessage kind={kind} source={data?.source} />
        {isSecretMissing && <p className={looks.warning}>{texts.secretMissing(kind.title)}</p>}
        <div className={styles.actions}>
          <Button
            look="primary"
            onClick={() =>
              void navigate({
                to: '/a/$account/connections/sources/$source',
                params: { account, source: String(id) },
              })
            }
          >
            {nextStep}
          </Button>
        </div>
      </div>
    </Card>
  );
};

const NewForm = ({ account, kind }: OfKind) => {
  const texts = useTexts(sourceTexts);
  const common = useTexts(connectionTexts);
  const { language } = useLanguage();
  const api = useApi();
  const navigate = useNavigate();
  const sourcesChanged = useSourcesChanged();
  const form = useFields({ settings: {}, credentials: [] });
  const [label, setLabel] = useState('');
  const [isTest, setTest] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const asked = new Set(askedFields(kind, form).map(({ name }) => name));
      const content = Object.fromEntries(
        Object.entries(form.typed).filter(([name, value]) => asked.has(name) && value !== ''),
      );
      return createSource(api, account, { kind: kind.name, isTest, content, ...(label.trim() && { label }) });
    },
    onSuccess: async ({ id }) => {
      await sourcesChanged();
      // its page says what to do, and connects it
      const params = { account, source: String(id) };
      if (kind.connects) await navigate({ to: '/a/$account/connections/sources/$source', params, replace: true });
    },
  });
  if (create.data && !kind.connects) return <Created account={account} kind={kind} created={create.data} />;
  const problems = problemsIn(create.error);
  const secret = kind.fields.find(({ name }) => name === 'secret');
  /** The secret may be left empty, for a reason that the kind itself does not say. */
  const withHelp = (field: SourceKind['fields'][number]): SourceKind['fields'][number] => {
    if (field.name !== 'secret' || field.isRequired) return field;
    const text = field.texts[language];
    const more = kind.makesSecret ? texts.secretMade : texts.secretLater;
    return { ...field, texts: { ...field.texts, [language]: { ...text, help: `${text.help} ${more}` } } };
  };
  const { help, steps } = kind.texts[language];
  return (
    <Card title={kind.title}>
      <form
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <p>{help}</p>
        {secret?.isRequired === true && (
          <ol className={styles.steps}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <div className={looks.fields}>
          <Field
            label={`${texts.label} (${common.optional})`}
            name="label"
            hint={texts.labelHelp}
            problem={problems.find(({ field }) => field === 'label')?.message}
            value={label}
            placeholder={kind.title}
            autoComplete="off"
            onChange={(event) => setLabel(event.target.value)}
          />
          <FieldInputs fields={askedFields(kind, form).map(withHelp)} form={form} problems={problems} wanted={[]} />
        </div>
        <label className={styles.check}>
          <input type="checkbox" checked={isTest} onChange={(event) => setTest(event.target.checked)} />
          {texts.isTest}
        </label>
        {create.error && <Wrong error={create.error} />}
        <div className={styles.actions}>
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {texts.create}
          </Button>
        </div>
      </form>
    </Card>
  );
};

const KindChoice = ({ account, kinds }: { readonly account: string; readonly kinds: readonly SourceKind[] }) => {
  const { language } = useLanguage();
  return (
    <ul className={looks.platforms}>
      {kinds.map(({ name, title, texts }) => (
        <li key={name} data-row>
          <Link
            to="/a/$account/connections/sources/$source"
            params={{ account, source: name }}
            className={looks.platform}
            data-open
          >
            <strong>{title}</strong>
            <span>{texts[language].help}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Adds a source: which kind, its settings, then what to do at the other side. */
export const NewSource = ({ account, kind: name }: { readonly account: string; readonly kind: string }) => {
  const texts = useTexts(sourceTexts);
  const common = useTexts(connectionTexts);
  const query = useQuery(kindsQuery(useApi(), account));
  return (
    <Loaded query={query} lines={6}>
      {({ items }) => {
        const kind = items.find((one) => one.name === name);
        return (
          <>
            {kind ? (
              <Link
                to="/a/$account/connections/sources/$source"
                params={{ account, source: 'new' }}
                className={backLook}
              >
                <Icon name="left" />
                {texts.back}
              </Link>
            ) : (
              <Link to="/a/$account/connections" params={{ account }} className={backLook}>
                <Icon name="left" />
                {common.toList}
              </Link>
            )}
            <ScreenHead title={texts.newTitle} {...(!kind && { intro: texts.newIntro })} />
            {kind ? <NewForm account={account} kind={kind} /> : <KindChoice account={account} kinds={items} />}
          </>
        );
      }}
    </Loaded>
  );
};
