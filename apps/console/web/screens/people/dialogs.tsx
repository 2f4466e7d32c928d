import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ChangeAccessInput,
  InvitationReply,
  InvitePersonInput,
  ListPeopleReply,
  Person,
  SignOutPersonReply,
} from '../../../src/contract/people.ts';
import type { Role } from '../../../src/contract/session.ts';
import { type Api, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { ShownOnce } from '../../parts/copy.tsx';
import { Dialog, FormDialog, TypedConfirmation } from '../../parts/dialog.tsx';
import { Field, formText, Select } from '../../parts/form.tsx';
import { Stack } from '../../parts/layout.tsx';
import { showToast } from '../../parts/notices.tsx';
import { useAccountSearch } from '../../shell/account-list.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { peopleTexts } from './texts.ts';

const path = '/api/people';
const peopleKey = ['people'] as const;

export const peopleQuery = (api: Api, find: string | undefined) =>
  queryOptions({
    queryKey: [...peopleKey, find],
    queryFn: ({ signal }) => api.get<ListPeopleReply>(path, { find }, signal),
    placeholderData: keepPreviousData,
  });

const invitePerson = (api: Api, input: InvitePersonInput): Promise<InvitationReply> =>
  api.post<InvitationReply>(path, input);

const inviteAgain = (api: Api, id: number): Promise<InvitationReply> =>
  api.post<InvitationReply>(`${path}/${id}/invite`, {});

const changeAccess = (api: Api, id: number, input: ChangeAccessInput): Promise<unknown> =>
  api.post(`${path}/${id}/access`, input);

const disablePerson = (api: Api, id: number): Promise<unknown> => api.post(`${path}/${id}/disable`, {});

const signOutPerson = (api: Api, id: number): Promise<SignOutPersonReply> =>
  api.post<SignOutPersonReply>(`${path}/${id}/sign-out`, {});

interface AccessForm {
  readonly role: Role;
  readonly accounts: readonly number[];
  readonly needsAccounts: boolean;
  /** None is chosen, and the form was sent. */
  readonly isMissing: boolean;
  readonly setRole: (role: Role) => void;
  readonly setAccounts: (accounts: readonly number[]) => void;
  /** What the server takes; undefined: an account is missing, which the form says from now on. */
  readonly submit: () => ChangeAccessInput | undefined;
}

/** A role, and the accounts that all but admins and operators need. */
const useAccess = (initial: { readonly role: Role; readonly accounts: readonly number[] }): AccessForm => {
  const [role, setRole] = useState(initial.role);
  const [accounts, setAccounts] = useState(initial.accounts);
  const [isSent, setSent] = useState(false);
  const needsAccounts = role !== 'admin' && role !== 'operator';
  const isIncomplete = needsAccounts && accounts.length === 0;
  return {
    role,
    accounts,
    needsAccounts,
    isMissing: isSent && isIncomplete,
    setRole,
    setAccounts,
    submit: () => {
      setSent(true);
      return isIncomplete ? undefined : { role, accounts: needsAccounts ? [...accounts] : [] };
    },
  };
};

interface NewLinkProps {
  readonly invitation: InvitationReply;
  readonly onClose: () => void;
}

/** Closes with its button alone, so that the link is not lost by a click beside it. */
const NewLink = ({ invitation: { email, url, expiresAt }, onClose }: NewLinkProps) => {
  const texts = useTexts(peopleTexts);
  const format = useFormat();
  return (
    <Dialog
      title={texts.linkTitle(email)}
      actions={
        <Button look="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <Stack>
        <p>{texts.linkText}</p>
        <ShownOnce title={texts.link} value={url} />
        <p>{texts.linkUntil(format.time(expiresAt))}</p>
      </Stack>
    </Dialog>
  );
};

interface AccountChoiceProps {
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
  /** None was chosen, although one is needed. */
  readonly isMissing: boolean;
}

/** The accounts that a person may see. Those that are chosen stay in the list while it is searched. */
const AccountChoice = ({ chosen, onChange, isMissing }: AccountChoiceProps) => {
  const texts = useTexts(peopleTexts);
  const { accounts, isFound, field } = useAccountSearch(texts.findAccount);
  const found = accounts.filter(({ id, name }) => chosen.includes(id) || isFound(name));
  return (
    <fieldset className={styles.accounts}>
      <legend>{texts.accounts}</legend>
      {field}
      {accounts.length === 0 ? (
        <p>{texts.noAccounts}</p>
      ) : (
        <div className={styles.list}>
          {found.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              {name}
            </label>
          ))}
        </div>
      )}
      {isMissing && (
        <p className="wrong" role="alert">
          {texts.chooseAccount}
        </p>
      )}
    </fieldset>
  );
};

const roles: readonly Role[] = ['admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer'];

const AccessFields = ({ access }: { readonly access: ReturnType<typeof useAccess> }) => {
  const texts = useTexts(peopleTexts);
  const names = useTexts(shellTexts).roles;
  const { role, accounts, needsAccounts, isMissing, setRole, setAccounts } = access;
  return (
    <>
      <Select
        label={texts.role}
        hint={texts.roleHints[role]}
        value={role}
        options={roles.map((value) => ({ value, label: names[value] }))}
        onChange={setRole}
      />
      {needsAccounts && <AccountChoice chosen={accounts} onChange={setAccounts} isMissing={isMissing} />}
    </>
  );
};

interface AccessDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export const AccessDialog = ({ person: { id, email, role, accounts }, onClose }: AccessDialogProps) => {
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const access = useAccess({ role, accounts: accounts.map((account) => account.id) });
  const change = useMutation({
    mutationFn: (input: ChangeAccessInput) => changeAccess(api, id, input),
    onSuccess: () => {
      showToast(texts.changed(email));
      onClose();
      return client.invalidateQueries({ queryKey: peopleKey });
    },
  });
  return (
    <FormDialog
      title={texts.changeTitle(email)}
      action={texts.save}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(form) => {
        const given = access.submit();
        const signsOut = form.has('signsOut');
        if (given) change.mutate({ ...given, signsOut });
      }}
      onClose={onClose}
    >
      <p>{texts.changeText}</p>
      <AccessFields access={access} />
      <label>
        <input type="checkbox" name="signsOut" /> {texts.alsoSignOut}
      </label>
    </FormDialog>
  );
};

interface AgainDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** A new link: for who has lost the phone, whose link has expired, or who was disabled. */
export const AgainDialog = ({ person: { id, email, state }, onClose }: AgainDialogProps) => {
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => inviteAgain(api, id),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
  if (again.data) return <NewLink invitation={again.data} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.againTitle(email)}
      action={texts.submit}
      isBusy={again.isPending}
      error={again.error}
      focus="action"
      onSubmit={() => again.mutate()}
      onClose={onClose}
    >
      {state === 'disabled' && <p>{texts.enableText}</p>}
      <p>{texts.againText}</p>
    </FormDialog>
  );
};

interface DisableDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export const DisableDialog = ({ person: { id, email }, onClose }: DisableDialogProps) => {
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const disable = useMutation({
    mutationFn: () => disablePerson(api, id),
    onSuccess: () => {
      showToast(texts.disabled(email));
      onClose();
      return client.invalidateQueries({ queryKey: peopleKey });
    },
  });
  return (
    <TypedConfirmation
      title={texts.disableTitle(email)}
      name={email}
      action={texts.confirmDisable}
      isBusy={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate()}
      onClose={onClose}
    >
      <p>{texts.disableText}</p>
    </TypedConfirmation>
  );
};

/** Asks for the email, the role and the accounts; then shows the link, this once. */
export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const access = useAccess({ role: 'marketer', accounts: [] });
  const invite = useMutation({
    mutationFn: (input: InvitePersonInput) => invitePerson(api, input),
    // the link is nowhere but on the page
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
  if (invite.data) return <NewLink invitation={invite.data} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.inviteTitle}
      action={texts.submit}
      isBusy={invite.isPending}
      error={invite.error}
      onSubmit={(form) => {
        const given = access.submit();
        if (given) invite.mutate({ ...given, email: formText(form, 'email') });
      }}
      onClose={onClose}
    >
      <Field label={texts.email} name="email" type="email" maxLength={254} autoComplete="off" required data-focus />
      <AccessFields access={access} />
    </FormDialog>
  );
};

interface SignOutDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** For who has lost a device, and may sign in again. */
export const SignOutDialog = ({ person: { id, email }, onClose }: SignOutDialogProps) => {
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const signOut = useMutation({
    mutationFn: () => signOutPerson(api, id),
    onSuccess: () => {
      showToast(texts.signedOut(email));
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.signOutTitle(email)}
      action={texts.confirmSignOut}
      isBusy={signOut.isPending}
      error={signOut.error}
      focus="action"
      onSubmit={() => signOut.mutate()}
      onClose={onClose}
    >
      <p>{texts.signOutText}</p>
    </FormDialog>
  );
};
