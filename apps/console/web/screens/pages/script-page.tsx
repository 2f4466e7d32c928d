import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { Page, ScriptInput, ScriptProblem } from '../../../src/contract/pages.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Field, formText, Select, TextArea } from '../../parts/form.tsx';
import { Card, ScreenHead } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './clicks.module.css';
import { Arrivals, Copied, GuideLink } from './clicks-parts.tsx';
import { clicksTexts } from './clicks-texts.ts';
import { arrivalsPath, changeScript, createScript, pageQuery } from './queries.ts';
import { asSlug } from './slug.ts';

const scriptOf = (form: FormData): ScriptInput => ({
  origins: formText(form, 'origins').split(/[\s,]+/),
  waitsForConsent: form.has('waitsForConsent'),
});

interface ScriptFieldsProps {
  readonly script: ScriptInput;
  readonly problems: readonly ScriptProblem[];
}

/** The sites of a page with the script, and when it may begin. */
const ScriptFields = ({ script: { origins, waitsForConsent }, problems }: ScriptFieldsProps) => {
  const texts = useTexts(clicksTexts).script;
  return (
    <>
      <TextArea
        label={texts.origins}
        name="origins"
        defaultValue={origins.join('\n')}
        placeholder="https://www.shop.example"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={texts.originsHint}
        problem={problems.includes('origins') ? texts.problems.origins : undefined}
      />
      <div>
        <label className={styles.check}>
          <input
            type="checkbox"
            name="waitsForConsent"
            defaultChecked={waitsForConsent}
            aria-describedby="waits-for-consent"
          />
          {texts.waits}
        </label>
        <p id="waits-for-consent" className="small">
          {texts.waitsHint}
        </p>
      </div>
    </>
  );
};

const noScript: ScriptInput = { origins: [], waitsForConsent: false };

/** Creates a page for the script, and opens it. */
export const NewScript = () => {
  const texts = useTexts(clicksTexts).script;
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const [slug, setSlug] = useState('');
  const create = useMutation({
    mutationFn: (form: FormData) => createScript(api, account, { slug, ...scriptOf(form) }),
    onSuccess: async (reply) => {
      if (reply.outcome !== 'created') return;
      showToast(texts.created(reply.page.slug));
      const page = String(reply.page.id);
      client.setQueryData(pageQuery(api, account, page).queryKey, reply.page);
      await navigate({ to: '/a/$account/pages/$page', params: { account, page }, hash: '' });
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  const { data } = create;
  const problems = data?.outcome === 'invalid' ? data.problems : [];
  const slugProblem = data?.outcome === 'slug-taken' ? texts.slugTaken : undefined;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  return (
    <Card>
      <form className={styles.body} noValidate onSubmit={submit}>
        <Field
          label={texts.slug}
          value={slug}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={texts.slugHint}
          problem={problems.includes('slug') ? texts.problems.slug : slugProblem}
          onChange={(event) => setSlug(asSlug(event.target.value))}
        />
        <ScriptFields script={noScript} problems={problems} />
        {create.error && <Failure error={create.error} />}
        <div className="tools">
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {texts.create}
          </Button>
        </div>
      </form>
    </Card>
  );
};

type Script = NonNullable<Page['script']>;

const kinds = ['snippet', 'pinnedSnippet', 'plainSnippet'] as const;

const hostOf = (snippet: string): string => new URL(/src="([^"]+)"/.exec(snippet)?.[1] ?? '', location.href).origin;

/** The line to copy, in three kinds. */
const ScriptLine = ({ script, apiUrl }: { readonly script: Script; readonly apiUrl: string | null }) => {
  const texts = useTexts(clicksTexts).script;
  const [kind, setKind] = useState<(typeof kinds)[number]>('snippet');
  return (
    <Card title={texts.line} tools={<GuideLink apiUrl={apiUrl} />}>
      <div className={styles.body}>
        <p>{texts.lineText}</p>
        <Copied text={script[kind]} what={texts.line} />
        <Select
          label={texts.kind}
          hint={texts.kindHints[kind]}
          value={kind}
          options={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={setKind}
        />
        <p className="small">{texts.csp(hostOf(script[kind]))}</p>
      </div>
    </Card>
  );
};

const ScriptSettings = ({ page, script }: { readonly page: Page; readonly script: Script }) => {
  const texts = useTexts(clicksTexts).script;
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const save = useMutation({
    mutationFn: (form: FormData) => changeScript(api, account, page.id, scriptOf(form)),
    onSuccess: async (reply) => {
      if (reply.outcome !== 'saved') return;
      showToast(texts.saved);
      client.setQueryData(pageQuery(api, account, String(page.id)).queryKey, reply.page);
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  return (
    <Card title={texts.settings}>
      <form className={styles.body} noValidate onSubmit={submit}>
        <ScriptFields script={script} problems={save.data?.outcome === 'invalid' ? save.data.problems : []} />
        {save.error && <Failure error={save.error} />}
        <div className="tools">
          <Button type="submit" isBusy={save.isPending}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Card>
  );
};

interface ScriptPageProps {
  readonly page: Page;
  readonly script: Script;
  /** Whether it is on. */
  readonly state: ReactNode;
  /** What every page has. */
  readonly children: ReactNode;
}

/** A page whose clicks the script on the advertiser's own pages reports. */
export const ScriptPage = ({ page, script, state, children }: ScriptPageProps) => {
  const texts = useTexts(clicksTexts);
  const mayEdit = useMay('edit-pages');
  const account = useAccountId();
  const { targetUrl } = page.draft;
  const test = new URL(targetUrl);
  test.searchParams.set('utm_source', 'leadback');
  test.searchParams.set('utm_campaign', 'test-click');
  return (
    <>
      <ScreenHead title={page.slug} intro={mayEdit ? script.origins.join(', ') : texts.mayNot}>
        {state}
      </ScreenHead>
      <ScriptLine script={script} apiUrl={page.apiUrl} />
      <Arrivals path={arrivalsPath(account, page.id)} hints={texts.script.none}>
        <a className={styles.go} href={test.href} target="_blank" rel="noreferrer">
          {texts.script.testClick}
          <Icon name="external" />
        </a>
      </Arrivals>
      {mayEdit && <ScriptSettings key={page.version} page={page} script={script} />}
      {children}
    </>
  );
};
