import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, IssueKeyInput, IssueKeyReply, ListKeysReply } from '../../../src/contract/keys.ts';
import { type Api, useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, ShownOnce } from '../../parts/copy.tsx';
import { Dialog, FormDialog, TypedConfirmation } from '../../parts/dialog.tsx';
import { Field, formText, Select } from '../../parts/form.tsx';
import { Card, Loaded, ScreenHead, Stack } from '../../parts/layout.tsx';
import { Empty, showToast } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time, type Tone } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { keysTexts } from './texts.ts';

interface NewKeyProps {
  readonly issued: IssueKeyReply;
  readonly onClose: () => void;
}

/** Closes with its button alone, so that the key is not lost by a click beside it. */
const NewKey = ({ issued: { key, apiUrl }, onClose }: NewKeyProps) => {
  const texts = useTexts(keysTexts);
  const line = apiUrl !== null && `curl ${new URL('/api/v1/', apiUrl).href} -H 'x-api-key: ${key}'`;
  return (
    <Dialog
      title={texts.issuedTitle}
      actions={
        <Button look="primary" onClick={onClose}>
          {texts.stored}
        </Button>
      }
    >
      <Stack>
        <p>{texts.issuedText}</p>
        <ShownOnce title={texts.key} value={key} />
        {line !== false && (
          <section className={styles.try}>
            <h3>
              {texts.tryIt}
              <CopyButton text={line} what={texts.tryIt} />
            </h3>
            <pre className={styles.lines}>{line}</pre>
            <p>{texts.tryText}</p>
          </section>
        )}
      </Stack>
    </Dialog>
  );
};

const pathOf = (account: string): string => `/api/accounts/${account}/keys`;

const keysQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['keys', account],
    queryFn: ({ signal }) => api.get<ListKeysReply>(pathOf(account), {}, signal),
  });

const issueKey = (api: Api, account: string, input: IssueKeyInput): Promise<IssueKeyReply> =>
  api.post<IssueKeyReply>(pathOf(account), input);

const revokeKey = (api: Api, account: string, id: number): Promise<ApiKey> =>
  api.post<ApiKey>(`${pathOf(account)}/${id}/revoke`, {});

type Scope = ApiKey['scopes'][number];

const allScopes = ['read', 'register', 'erase'] as const satisfies readonly Scope[];

/** What a backend usually needs. */
const usualScopes: readonly Scope[] = ['read', 'register'];

interface ScopeChoicesProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

const ScopeChoices = ({ chosen, onChange }: ScopeChoicesProps) => {
  const texts = useTexts(keysTexts);
  return (
    <fieldset className={styles.scopes} aria-describedby="scopes-hint">
      <legend>{texts.scopes}</legend>
      {allScopes.map((scope) => (
        <label key={scope} className={styles.scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target: { checked } }) =>
              onChange(allScopes.filter((one) => (one === scope ? checked : chosen.includes(one))))
            }
          />
          {texts.scopeTexts[scope]}
        </label>
      ))}
      <p id="scopes-hint" className="tiny">
        {chosen.length === 0 ? texts.noScope : texts.scopesHint}
      </p>
    </fieldset>
  );
};

const nameMax = 200;
const dayMs = 86_400_000;
const tomorrow = (): string => new Date(Date.now() + dayMs).toISOString().slice(0, 10);

/** Asks for a name, the mode and the expiry; then shows the key, this once. */
const IssueDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(keysTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const [mode, setMode] = useState<'live' | 'test'>('test');
  const [scopes, setScopes] = useState(usualScopes);
  const issue = useMutation({
    mutationFn: (input: IssueKeyInput) => issueKey(api, account, input),
    // the key is nowhere but on the page
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(api, account).queryKey }),
  });
  if (issue.data) return <NewKey issued={issue.data} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.issueTitle}
      action={texts.submit}
      isBusy={issue.isPending}
      error={issue.error}
      onSubmit={(form) => {
        if (scopes.length === 0) return;
        const expires = formText(form, 'expires');
        const key = { name: formText(form, 'name'), isTest: mode === 'test', scopes: [...scopes] };
        issue.mutate({ ...key, ...(expires !== '' && { expires }) });
      }}
      onClose={onClose}
    >
      <Field
        label={texts.name}
        name="name"
        hint={texts.nameHint}
        maxLength={nameMax}
        pattern=".*\S.*"
        autoComplete="off"
        required
        data-focus
      />
      <Select
        label={texts.mode}
        hint={texts.modeHints[mode]}
        value={mode}
        options={[
          { value: 'test', label: texts.test },
          { value: 'live', label: texts.live },
        ]}
        onChange={setMode}
      />
      <ScopeChoices chosen={scopes} onChange={setScopes} />
      <Field label={texts.expires} name="expires" type="date" min={tomorrow()} hint={texts.expiresHint} />
    </FormDialog>
  );
};

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

const tones: Readonly<Record<ApiKey['state'], Tone>> = { active: 'good', expired: 'warn', revoked: 'plain' };

const KeyTable = ({ keys, onRevoke }: KeyTableProps) => {
  const texts = useTexts(keysTexts);
  const format = useFormat();
  const mayManage = useMay('manage-keys');
  const columns: readonly Column<ApiKey>[] = [
    {
      key: 'name',
      title: texts.columns.name,
      isTitle: true,
      cell: ({ name, prefix }) => (
        <span className={styles.name}>
          <strong>{name}</strong>
          <code className="tiny">{prefix}…</code>
        </span>
      ),
    },
    {
      key: 'mode',
      title: texts.columns.mode,
      cell: ({ isTest }) => (isTest ? <Badge tone="accent">{texts.test}</Badge> : texts.live),
    },
    {
      key: 'scopes',
      title: texts.columns.scopes,
      cell: ({ scopes }) => scopes.map((scope) => texts.scopeNames[scope]).join(', '),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge>,
    },
    {
      key: 'used',
      title: texts.columns.used,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <Time at={lastUsedAt} look="ago" />),
    },
    {
      key: 'issued',
      title: texts.columns.issued,
      cell: ({ createdAt, issuedBy }) => (
        <span className={styles.stacked}>
          <Time at={createdAt} look="ago" />
          {issuedBy !== null && <span className="tiny">{texts.by(issuedBy)}</span>}
        </span>
      ),
    },
    {
      key: 'expires',
      title: texts.columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? texts.never : format.dayWithYear(expiresAt)),
    },
  ];
  const action: Column<ApiKey> = {
    key: 'action',
    title: texts.columns.action,
    align: 'end',
    cell: (key) =>
      key.state === 'active' && (
        <Button data-open aria-label={texts.revokeName(key.name)} onClick={() => onRevoke(key)}>
          {texts.revoke}
        </Button>
      ),
  };
  return (
    <Table
      caption={texts.title}
      columns={mayManage ? [...columns, action] : columns}
      rows={keys}
      keyOf={({ id }) => id}
      isEnded={({ state }) => state !== 'active'}
    />
  );
};

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

const RevokeDialog = ({ apiKey: { id, name, lastUsedAt }, onClose }: RevokeDialogProps) => {
  const texts = useTexts(keysTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const revoke = useMutation({
    mutationFn: () => revokeKey(api, account, id),
    onSuccess: () => {
      showToast(texts.revoked(name));
      onClose();
      return client.invalidateQueries({ queryKey: keysQuery(api, account).queryKey });
    },
  });
  return (
    <TypedConfirmation
      title={texts.revokeTitle(name)}
      name={name}
      action={texts.confirmRevoke}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{texts.revokeText}</p>
      <p>
        {lastUsedAt === null ? (
          texts.neverUsed
        ) : (
          <strong>
            {texts.lastUsed} <Time at={lastUsedAt} look="ago" />
          </strong>
        )}
      </p>
    </TypedConfirmation>
  );
};

/** Which backends may register sales? */
export const KeysScreen = () => {
  const texts = useTexts(keysTexts);
  const api = useApi();
  const mayManage = useMay('manage-keys');
  const query = useQuery(keysQuery(api, useAccountId()));
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const issue = mayManage && (
    <Button look="primary" icon="plus" onClick={() => setIssuing(true)}>
      {texts.issue}
    </Button>
  );
  return (
    <>
      <ScreenHead title={texts.title} intro={mayManage ? texts.intro : texts.mayNot}>
        {issue}
      </ScreenHead>
      <Card>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="key" title={texts.emptyTitle}>
                {mayManage ? texts.empty : texts.mayNot}
              </Empty>
            ) : (
              <KeyTable keys={items} onRevoke={setRevoked} />
            )
          }
        </Loaded>
      </Card>
      {isIssuing && <IssueDialog onClose={() => setIssuing(false)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
};
