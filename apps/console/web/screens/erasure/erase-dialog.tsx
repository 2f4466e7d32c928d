import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonToErase } from '../../../src/contract/erasures.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { erasuresQuery, startErasure } from './queries.ts';
import { erasureTexts } from './texts.ts';

interface EraseDialogProps {
  readonly person: PersonToErase;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

/** It cannot be undone: the person's email or reference is typed again. */
export const EraseDialog = ({ person, onClose, onStarted }: EraseDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(erasureTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const [typed, setTyped] = useState('');
  const name = person.email ?? person.reference ?? '';
  const isSame = typed.trim() === name;
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
    <Dialog
      title={texts.dialogTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="erase" disabled={!isSame} isBusy={erasing.isPending}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <form
        id="erase"
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame) erasing.mutate();
        }}
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
        {erasing.error && <Failure error={erasing.error} />}
      </form>
    </Dialog>
  );
};
