import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import type {
  AddDomainReply,
  CheckDomainReply,
  DnsRecord,
  Domain,
  DomainsReply,
  RemoveDomainReply,
} from '../../../src/contract/domains.ts';
import { type Api, useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { TypedConfirmation } from '../../parts/dialog.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Card, Loaded } from '../../parts/layout.tsx';
import { Empty, Failure, showToast } from '../../parts/notices.tsx';
import { Badge, Time, type Tone } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './clicks.module.css';
import { clicksTexts } from './clicks-texts.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/domains`;
const awaitedMs = 10_000;

/** Asked again until each of them leads here. */
const domainsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['domains', account],
    queryFn: ({ signal }) => api.get<DomainsReply>(pathOf(account), {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state !== 'active') === true ? awaitedMs : false,
  });

const parts = ['type', 'host', 'value'] as const;

const RecordToCopy = ({ record }: { readonly record: DnsRecord }) => {
  const texts = useTexts(clicksTexts).domains;
  return (
    <dl className={styles.record}>
      {parts.map((part) => (
        <div key={part}>
          <dt>{texts[part]}</dt>
          <dd>
            <code>{record[part]}</code>
            <CopyButton text={record[part]} what={texts[part]} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** What is wrong, in words. */
const useFinding = ({ state, finding, checkedAt }: Domain): string => {
  const texts = useTexts(clicksTexts).domains;
  if (finding === null) return state === 'active' ? texts.active : checkedAt === null ? texts.waiting : '';
  switch (finding.kind) {
    case 'missing':
      return texts.findings.missing;
    case 'other-name':
      return texts.findings.otherName(finding.name);
    case 'other-addresses':
      return texts.findings.otherAddresses(finding.addresses.join(', '));
    case 'some-other-addresses':
      return texts.findings.someOtherAddresses(finding.addresses.join(', '));
  }
};

const tones: Readonly<Record<Domain['state'], Tone>> = { waiting: 'warn', active: 'good', wrong: 'bad' };

interface DomainItemProps {
  readonly domain: Domain;
  readonly onRemove: (domain: Domain) => void;
}

const DomainItem = ({ domain, onRemove }: DomainItemProps) => {
  const texts = useTexts(clicksTexts).domains;
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const mayEdit = useMay('edit-pages');
  const finding = useFinding(domain);
  const id = useId();
  const { name, state, record, proof, isProved, checkedAt } = domain;
  const check = useMutation({
    mutationFn: () => api.post<CheckDomainReply>(`${pathOf(account)}/${domain.id}/check`, {}),
    onSuccess: () =>
      Promise.all(['domains', 'pages', 'page'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  return (
    <section className={styles.domain} aria-labelledby={id}>
      <header>
        <h3 id={id}>{name}</h3>
        <span role="status">
          <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        </span>
        {mayEdit && (
          <div className={styles.actions}>
            <Button icon="retry" isBusy={check.isPending} onClick={() => check.mutate()}>
              {texts.check}
            </Button>
            <Button onClick={() => onRemove(domain)} aria-label={texts.removeTitle(name)}>
              {texts.remove}
            </Button>
          </div>
        )}
      </header>
      {finding !== '' && <p>{finding}</p>}
      {checkedAt !== null && (
        <p className="small">
          {texts.checkedAt}: <Time at={checkedAt} look="ago" />
        </p>
      )}
      {check.data?.isAnswered === false && (
        <p className="wrong" role="status">
          {texts.unanswered}
        </p>
      )}
      {check.error && <Failure error={check.error} />}
      {state !== 'active' && (
        <>
          <h4>{texts.record}</h4>
          <RecordToCopy record={record} />
          <p className="small">{texts.hostHint}</p>
        </>
      )}
      {isProved ? (
        <p className="small">{texts.isProved}</p>
      ) : (
        <details className={styles.hints}>
          <summary>{texts.proof}</summary>
          <p>{texts.proofText}</p>
          <RecordToCopy record={proof} />
        </details>
      )}
    </section>
  );
};

const AddDomain = () => {
  const texts = useTexts(clicksTexts).domains;
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const form = useRef<HTMLFormElement>(null);
  const add = useMutation({
    mutationFn: (name: string) => api.post<AddDomainReply>(pathOf(account), { name }),
    onSuccess: async (reply) => {
      if (reply.outcome !== 'added') return;
      showToast(texts.added(reply.domain.name));
      form.current?.reset();
      await client.invalidateQueries({ queryKey: ['domains', account] });
    },
  });
  const { data } = add;
  const problem = { invalid: texts.invalid, 'too-many': texts.tooMany, 'to-prove': texts.toProve, added: undefined };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(formText(new FormData(event.currentTarget), 'name'));
  };
  return (
    <Card title={texts.add}>
      <form ref={form} className={styles.body} noValidate onSubmit={submit}>
        <Field
          label={texts.name}
          name="name"
          inputMode="url"
          placeholder="go.shop.example"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={texts.nameHint}
          problem={data && problem[data.outcome]}
        />
        {data?.outcome === 'to-prove' && <RecordToCopy record={data.proof} />}
        {add.error && <Failure error={add.error} />}
        <div className="tools">
          <Button look="primary" type="submit" isBusy={add.isPending}>
            {texts.create}
          </Button>
        </div>
      </form>
    </Card>
  );
};

interface RemoveDomainProps {
  readonly domain: Domain;
  readonly onClose: () => void;
}

const RemoveDomain = ({ domain: { id, name }, onClose }: RemoveDomainProps) => {
  const texts = useTexts(clicksTexts).domains;
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const remove = useMutation({
    mutationFn: () => api.post<RemoveDomainReply>(`${pathOf(account)}/${id}/remove`, {}),
    onSuccess: async () => {
      showToast(texts.removed(name));
      onClose();
      await Promise.all(['domains', 'pages', 'page'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
  return (
    <TypedConfirmation
      title={texts.removeTitle(name)}
      name={name}
      action={texts.removeAction}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeText(name)}</p>
    </TypedConfirmation>
  );
};

/** The account's own domains: which record each needs, and whether DNS has it. */
export const DomainsWay = () => {
  const texts = useTexts(clicksTexts).domains;
  const mayEdit = useMay('edit-pages');
  const query = useQuery(domainsQuery(useApi(), useAccountId()));
  const [removed, setRemoved] = useState<Domain>();
  return (
    <>
      {mayEdit && <AddDomain />}
      <Card>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="pages" title={texts.empty}>
                {texts.emptyText}
              </Empty>
            ) : (
              items.map((domain) => <DomainItem key={domain.id} domain={domain} onRemove={setRemoved} />)
            )
          }
        </Loaded>
      </Card>
      {removed && <RemoveDomain domain={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
};
