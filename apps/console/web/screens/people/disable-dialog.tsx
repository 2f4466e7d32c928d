import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx';
import { useTexts } from '../../text/language.tsx';
import { disablePerson, peopleKey } from './queries.ts';
import { peopleTexts } from './texts.ts';

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
