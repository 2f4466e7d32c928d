import {
  keepPreviousData,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type {
  Account,
  AccountFiguresReply,
  AccountSettingsInput,
  ListAccountsReply,
  SuspendAccountInput,
} from '../../../src/contract/accounts.ts';
import { type Api, sessionQuery, useApi } from '../../api.ts';
import { FormDialog, TypedConfirmation } from '../../parts/dialog.tsx';
import { Field, formText, Select, Switch } from '../../parts/form.tsx';
import { showToast } from '../../parts/notices.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { accountsTexts } from './texts.ts';

const path = '/api/accounts';
const accountsKey = ['accounts'] as const;

export const accountsQuery = (api: Api, find: string | undefined) =>
  queryOptions({
    queryKey: [...accountsKey, find],
    queryFn: ({ signal }) => api.get<ListAccountsReply>(path, { find }, signal),
    placeholderData: keepPreviousData,
  });

/** Takes longer than the list of the same accounts, which does not wait for it. */
export const figuresQuery = (api: Api, find: string | undefined) =>
  queryOptions({
    queryKey: [...accountsKey, 'figures', find],
    queryFn: ({ signal }) => api.get<AccountFiguresReply>(`${path}/figures`, { find }, signal),
    placeholderData: keepPreviousData,
  });

const createAccount = (api: Api, input: AccountSettingsInput): Promise<Account> => api.post<Account>(path, input);

const changeAccount = (api: Api, id: number, input: AccountSettingsInput): Promise<Account> =>
  api.post<Account>(`${path}/${id}/settings`, input);

const suspendAccount = (api: Api, id: number, input: SuspendAccountInput): Promise<Account> =>
  api.post<Account>(`${path}/${id}/suspend`, input);

export const activateAccount = (api: Api, id: number): Promise<Account> =>
  api.post<Account>(`${path}/${id}/activate`, {});

/** Changes an account, then loads the list and the accounts of the session again. */
export const useAccountAction = <Input,>(
  act: (api: Api, input: Input) => Promise<Account>,
  onDone: (account: Account) => void,
): UseMutationResult<Account, Error, Input> => {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(api, input),
    onSuccess: async (account) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: accountsKey }),
        client.fetchQuery({ ...sessionQuery(api), staleTime: 0 }),
      ]);
      onDone(account);
    },
  });
};

type Settings = Pick<
  Account,
  'name' | 'country' | 'rateLimit' | 'gpc' | 'erased' | 'attribution' | 'eventIdPrefix' | 'currencies' | 'timeZone'
>;

/** As the command line has them. */
const defaults: Settings = {
  name: '',
  country: 'AR',
  rateLimit: 200,
  gpc: 'respect',
  erased: 'allow',
  attribution: 'last',
  eventIdPrefix: '',
  currencies: ['USD', 'ARS'],
  timeZone: 'UTC',
};

interface AccountFormProps {
  readonly title: string;
  /** What happens then. */
  readonly text: string;
  readonly submit: string;
  readonly settings: Settings;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (settings: AccountSettingsInput) => void;
  readonly onClose: () => void;
}

/** The settings of an account, to create or change it. */
const AccountForm = (props: AccountFormProps) => {
  const { title, text, submit, settings, isBusy, error, onSubmit, onClose } = props;
  const texts = useTexts(accountsTexts);
  const zonesId = useId();
  const [gpc, setGpc] = useState(settings.gpc);
  const [erased, setErased] = useState(settings.erased);
  const [attribution, setAttribution] = useState(settings.attribution);
  return (
    <FormDialog
      title={title}
      action={submit}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => {
        const [name, country] = [formText(form, 'name'), formText(form, 'country')];
        const rateLimit = Number(formText(form, 'rateLimit'));
        const eventIdPrefix = formText(form, 'eventIdPrefix');
        const currencies = formText(form, 'currencies').toUpperCase();
        const timeZone = formText(form, 'timeZone');
        onSubmit({ name, country, rateLimit, gpc, erased, attribution, eventIdPrefix, currencies, timeZone });
      }}
      onClose={onClose}
    >
      <Field
        label={texts.name}
        name="name"
        defaultValue={settings.name}
        maxLength={200}
        pattern=".*\S.*"
        autoComplete="off"
        required
        data-focus
      />
      <Field
        label={texts.country}
        name="country"
        hint={texts.countryHint}
        defaultValue={settings.country}
        maxLength={2}
        pattern="[A-Za-z]{2}"
        autoComplete="off"
        required
      />
      <Field
        label={texts.currencies}
        name="currencies"
        hint={texts.currenciesHint}
        defaultValue={settings.currencies.join(', ')}
        pattern="\s*[A-Za-z]{3}(\s*,\s*[A-Za-z]{3})*\s*"
        autoComplete="off"
        required
      />
      <Field
        label={texts.timeZone}
        name="timeZone"
        hint={texts.timeZoneHint}
        defaultValue={settings.timeZone}
        list={zonesId}
        autoComplete="off"
        required
      />
      <datalist id={zonesId}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Field
        label={texts.rate}
        name="rateLimit"
        type="number"
        hint={texts.rateHint}
        defaultValue={settings.rateLimit}
        min={1}
        max={1_000_000}
        required
      />
      <Select
        label={texts.gpc}
        hint={texts.gpcHints[gpc]}
        value={gpc}
        options={[
          { value: 'respect', label: texts.gpcNames.respect },
          { value: 'measure', label: texts.gpcNames.measure },
        ]}
        onChange={setGpc}
      />
      <Select
        label={texts.erased}
        hint={texts.erasedHints[erased]}
        value={erased}
        options={[
          { value: 'allow', label: texts.erasedNames.allow },
          { value: 'suppress', label: texts.erasedNames.suppress },
        ]}
        onChange={setErased}
      />
      <Select
        label={texts.attribution}
        hint={texts.attributionHint}
        value={attribution}
        options={[
          { value: 'last', label: texts.attributionNames.last },
          { value: 'first', label: texts.attributionNames.first },
        ]}
        onChange={setAttribution}
      />
      <Field
        label={texts.eventIdPrefix}
        name="eventIdPrefix"
        hint={texts.eventIdPrefixHint}
        defaultValue={settings.eventIdPrefix}
        maxLength={16}
        pattern="[A-Za-z0-9._:\-]*"
        autoComplete="off"
      />
      <p className="soft">{text}</p>
    </FormDialog>
  );
};

interface ChangeDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export const ChangeDialog = ({ account, onClose }: ChangeDialogProps) => {
  const texts = useTexts(accountsTexts);
  const change = useAccountAction<AccountSettingsInput>(
    (api, settings) => changeAccount(api, account.id, settings),
    ({ name }) => {
      showToast(texts.changed(name));
      onClose();
    },
  );
  return (
    <AccountForm
      title={texts.changeTitle(account.name)}
      text={texts.changeText}
      submit={texts.save}
      settings={account}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(settings) => change.mutate(settings)}
      onClose={onClose}
    />
  );
};

/** Creates an account, and goes on to its first steps. */
export const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(accountsTexts);
  const navigate = useNavigate();
  const create = useAccountAction<AccountSettingsInput>(createAccount, ({ id }) => {
    onClose();
    void navigate({ to: '/a/$account/overview', params: { account: String(id) } });
  });
  return (
    <AccountForm
      title={texts.createTitle}
      text={texts.createText}
      submit={texts.submitCreate}
      settings={defaults}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(settings) => create.mutate(settings)}
      onClose={onClose}
    />
  );
};

interface SuspendDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export const SuspendDialog = ({ account: { id, name }, onClose }: SuspendDialogProps) => {
  const texts = useTexts(accountsTexts);
  const [hidesPages, setHidesPages] = useState(false);
  const suspend = useAccountAction<void>(
    (api) => suspendAccount(api, id, { pages: hidesPages }),
    () => {
      showToast(texts.suspended(name));
      onClose();
    },
  );
  return (
    <TypedConfirmation
      title={texts.suspendTitle(name)}
      name={name}
      action={texts.confirmSuspend}
      isBusy={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate()}
      onClose={onClose}
    >
      <p>{texts.suspendText}</p>
      <ul className={styles.stops}>
        {texts.stops.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p>{texts.goesOn}</p>
      <Switch isOn={hidesPages} name={texts.hidePages} onChange={setHidesPages}>
        {texts.hidePages}
      </Switch>
    </TypedConfirmation>
  );
};
