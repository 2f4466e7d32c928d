import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ChangedErasureReply,
  CountErasureReply,
  ListErasuresReply,
  PersonToErase,
  StartedErasure,
} from '../../../src/contract/erasures.ts';
import { type Api, useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Field, formText, Select } from '../../parts/form.tsx';
import { Empty, showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { erasureTexts } from './texts.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/erasures`;
const pollMs = 1000;

const isPending = ({ state }: StartedErasure): boolean => state === 'pending';

/** Polled while an erasure runs. */
export const erasuresQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['erasures', account],
    queryFn: ({ signal }) => api.get<ListErasuresReply>(pathOf(account), {}, signal),
    refetchInterval: ({ state }) => (state.data?.started.some(isPending) === true ? pollMs : false),
  });

export const countErasure = (api: Api, account: string, person: PersonToErase): Promise<CountErasureReply> =>
  api.post<CountErasureReply>(`${pathOf(account)}/count`, person);

const startErasure = (api: Api, account: string, person: PersonToErase): Promise<StartedErasure> =>
  api.post<StartedErasure>(pathOf(account), person);

export const confirmErasure = (api: Api, account: string, id: string): Promise<ChangedErasureReply> =>
  api.post<ChangedErasureReply>(`${pathOf(account)}/${id}/confirmation`, {});

export const allowPerson = (api: Api, account: string, id: string): Promise<ChangedErasureReply> =>
  api.post<ChangedErasureReply>(`${pathOf(account)}/${id}/allowance`, {});

interface PersonFormProps {
  readonly isBusy: boolean;
  readonly onCount: (person: PersonToErase) => void;
  /** What was counted is about somebody else. */
  readonly onChange: () => void;
}

export const PersonForm = ({ isBusy, onCount, onChange }: PersonFormProps) => {
  const texts = useTexts(erasureTexts);
  const [by, setBy] = useState<StartedErasure['by']>('email');
  const isEmail = by === 'email';
  return (
    <form
      className={styles.form}
      onChange={onChange}
      onSubmit={(event) => {
        event.preventDefault();
        const name = formText(new FormData(event.currentTarget), 'name').trim();
        onCount(isEmail ? { email: name } : { reference: name });
      }}
    >
      <Select
        label={texts.by}
        value={by}
        options={[
          { value: 'email', label: texts.bys.email },
          { value: 'reference', label: texts.bys.reference },
        ]}
        onChange={(value) => setBy(value === 'reference' ? 'reference' : 'email')}
      />
      <Field
        key={by}
        label={isEmail ? texts.emailField : texts.referenceField}
        hint={isEmail ? texts.emailHint : texts.referenceHint}
        name="name"
        inputMode={isEmail ? 'email' : 'text'}
        pattern={isEmail ? String.raw`\s*[^@\s]+@[^@\s]+\s*` : undefined}
        maxLength={isEmail ? 254 : 255}
        autoComplete="off"
        spellCheck={false}
        data-find
        required
      />
      <Button look="primary" icon="search" type="submit" isBusy={isBusy}>
        {texts.count}
      </Button>
    </form>
  );
};

interface CountedPersonProps {
  readonly counted: CountErasureReply;
  readonly onErase: () => void;
}

const isAnyone = ({ liveClients, testClients, leads, importedRows }: CountErasureReply): boolean =>
  importedRows === null || liveClients + testClients + leads + importedRows > 0;

interface CountsProps {
  readonly title: string;
  readonly counts: readonly (readonly [name: string, count: number | null])[];
}

const Counts = ({ title, counts }: CountsProps) => {
  const texts = useTexts(erasureTexts);
  const format = useFormat();
  return (
    <section>
      <h3>{title}</h3>
      <dl className={styles.counts}>
        {counts.map(([name, count]) => (
          <div key={name} className={styles.count}>
            <dt>{name}</dt>
            <dd>{count === null ? texts.countedLater : format.count(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

export const CountedPerson = ({ counted, onErase }: CountedPersonProps) => {
  const texts = useTexts(erasureTexts);
  if (!isAnyone(counted)) {
    return (
      <div role="status" className={styles.result}>
        <Empty icon="person" title={texts.nobodyTitle}>
          {texts.nobody}
        </Empty>
      </div>
    );
  }
  const { liveClients, testClients, leads, importedRows, conversions, pendingDeliveries } = counted;
  return (
    <div role="status" className={styles.result}>
      <div className={styles.columns}>
        <Counts
          title={texts.erased}
          counts={[
            [texts.liveClients, liveClients],
            [texts.testClients, testClients],
            [texts.leads, leads],
            [texts.importedRows, importedRows],
          ]}
        />
        <Counts
          title={texts.stays}
          counts={[
            [texts.conversions, conversions],
            [texts.pendingDeliveries, pendingDeliveries],
          ]}
        />
      </div>
      <div className={styles.foot}>
        <p>{texts.elsewhere}</p>
        <Button look="primary" onClick={onErase}>
          {texts.erase}
        </Button>
      </div>
    </div>
  );
};

interface EraseDialogProps {
  readonly person: PersonToErase;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

/** It cannot be undone: the person's email or reference is typed again. */
export const EraseDialog = ({ person, onClose, onStarted }: EraseDialogProps) => {
  const texts = useTexts(erasureTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const [typed, setTyped] = useState('');
  const name = person.email ?? person.reference ?? '';
  const erasing = useMutation({
    mutationFn: () => startErasure(api, account, person),
    onSuccess: ({ id }) => {
      showToast(texts.startedToast);
      onStarted(id);
      onClose();
      return client.invalidateQueries({ queryKey: erasuresQuery(api, account).queryKey });
    },
  });
  return (
    <FormDialog
      title={texts.dialogTitle}
      action={texts.confirm}
      isBusy={erasing.isPending}
      error={erasing.error}
      isReady={typed.trim() === name}
      onSubmit={() => erasing.mutate()}
      onClose={onClose}
    >
      <p>{texts.dialogText}</p>
      <p>
        <strong className={styles.name}>{name}</strong>
      </p>
      <Field
        label={person.email === undefined ? texts.typeReference : texts.typeEmail}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        data-focus
      />
    </FormDialog>
  );
};
