import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangePasswordInput, PasskeyView, SecurityReply } from '../../../src/contract/security.ts';
import { type Api, sessionQuery, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Card } from '../../parts/layout.tsx';
import { Empty, showToast } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { addPasskey, arePasskeysSupported, PasskeyFailure } from '../../passkey/passkey.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { securityTexts } from './texts.ts';

export const securityQuery = (api: Api) =>
  queryOptions({
    queryKey: ['security'],
    queryFn: ({ signal }) => api.get<SecurityReply>('/api/security', {}, signal),
  });

const renamePasskey = (api: Api, id: number, name: string) =>
  api.post<object>('/api/security/passkeys/rename', { id, name });

const removePasskey = (api: Api, id: number) => api.post<object>('/api/security/passkeys/remove', { id });

/** Without an id: all but this one. */
export const endSessions = (api: Api, id: number | undefined) => api.post<object>('/api/security/sessions/end', { id });

export const changePassword = (api: Api, input: ChangePasswordInput) =>
  api.post<object>('/api/security/password', input);

interface Change<Input, Result> {
  readonly change: (api: Api, input: Input) => Promise<Result>;
  /** What the person reads when it is done. */
  readonly done: (result: Result, input: Input) => string;
  readonly onDone?: () => void;
}

/** A change of the own sign-in, after which the page shows what is now. */
export const useChange = <Input = void, Result = object>({
  change,
  done,
  onDone,
}: Change<Input, Result>): UseMutationResult<Result, Error, Input> => {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(api, input),
    onSuccess: async (result, input) => {
      showToast(done(result, input));
      onDone?.();
      const queries = [securityQuery(api), sessionQuery(api)];
      await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    },
  });
};

const nameMax = 80;

interface PasskeyDialogProps {
  readonly passkey: PasskeyView;
  readonly onClose: () => void;
}

const RenamePasskey = ({ passkey, onClose }: PasskeyDialogProps) => {
  const texts = useTexts(securityTexts);
  const rename = useChange({
    change: (api, name: string) => renamePasskey(api, passkey.id, name),
    done: (_, name) => texts.renamed(name),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.renameTitle}
      action={texts.save}
      isBusy={rename.isPending}
      error={rename.error}
      onSubmit={(form) => {
        rename.mutate(formText(form, 'name').trim());
      }}
      onClose={onClose}
    >
      <Field
        label={texts.name}
        name="name"
        defaultValue={passkey.name}
        hint={texts.nameHint}
        maxLength={nameMax}
        pattern=".*\S.*"
        autoComplete="off"
        data-focus
        required
      />
    </FormDialog>
  );
};

const RemovePasskey = ({ passkey, onClose }: PasskeyDialogProps) => {
  const texts = useTexts(securityTexts);
  const remove = useChange({
    change: (api) => removePasskey(api, passkey.id),
    done: () => texts.removed(passkey.name),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.removeTitle(passkey.name)}
      action={texts.remove}
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeText}</p>
    </FormDialog>
  );
};

interface PasskeyCardProps {
  /** By the server: not if it is opened by an IP address. */
  readonly isSupported: boolean;
  readonly passkeys: readonly PasskeyView[];
}

interface Opened {
  readonly dialog: 'rename' | 'remove';
  readonly passkey: PasskeyView;
}

export const PasskeyCard = ({ isSupported, passkeys }: PasskeyCardProps) => {
  const texts = useTexts(securityTexts);
  const [opened, setOpened] = useState<Opened>();
  const add = useChange({ change: addPasskey, done: ({ name }) => texts.added(name) });
  const close = () => setOpened(undefined);
  const columns: readonly Column<PasskeyView>[] = [
    { key: 'name', title: texts.name, isTitle: true, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'added', title: texts.addedAt, cell: ({ createdAt }) => <Time at={createdAt} look="ago" /> },
    {
      key: 'used',
      title: texts.usedAt,
      cell: ({ usedAt }) => (usedAt === null ? texts.neverUsed : <Time at={usedAt} look="ago" />),
    },
    {
      key: 'actions',
      title: texts.actions,
      align: 'end',
      isTitle: true,
      cell: (passkey) => (
        <div className={styles.actions}>
          <Button
            look="quiet"
            aria-label={texts.renameNamed(passkey.name)}
            data-open
            onClick={() => setOpened({ dialog: 'rename', passkey })}
          >
            {texts.rename}
          </Button>
          <Button
            look="quiet"
            aria-label={texts.removeNamed(passkey.name)}
            onClick={() => setOpened({ dialog: 'remove', passkey })}
          >
            {texts.remove}
          </Button>
        </div>
      ),
    },
  ];
  const canAdd = isSupported && arePasskeysSupported();
  const addButton = canAdd && (
    <Button look="primary" icon="shield" isBusy={add.isPending} onClick={() => add.mutate()}>
      {texts.add}
    </Button>
  );
  return (
    <Card title={texts.passkeys} tools={passkeys.length > 0 && addButton}>
      {add.error && (
        <div className={styles.inset}>
          <PasskeyFailure error={add.error} />
        </div>
      )}
      {passkeys.length > 0 ? (
        <Table caption={texts.passkeys} columns={columns} rows={passkeys} keyOf={({ id }) => id} />
      ) : (
        <Empty icon="shield" title={texts.noPasskeys} action={addButton}>
          {canAdd ? texts.noPasskeysText : texts[isSupported ? 'oldBrowser' : 'unsupported']}
        </Empty>
      )}
      {opened?.dialog === 'rename' && <RenamePasskey passkey={opened.passkey} onClose={close} />}
      {opened?.dialog === 'remove' && <RemovePasskey passkey={opened.passkey} onClose={close} />}
    </Card>
  );
};
