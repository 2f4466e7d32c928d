import type { PasskeyView } from '../../../src/contract/security.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { removePasskey, renamePasskey } from './queries.ts';
import { securityTexts } from './texts.ts';
import { useChange } from './use-change.ts';

const nameMax = 80;
const formId = 'rename-passkey';

interface PasskeyDialogProps {
  readonly passkey: PasskeyView;
  readonly onClose: () => void;
}

export const RenamePasskey = ({ passkey, onClose }: PasskeyDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(securityTexts);
  const rename = useChange({
    change: (api, name: string) => renamePasskey(api, passkey.id, name),
    done: (_, name) => texts.renamed(name),
    onDone: onClose,
  });
  return (
    <Dialog
      title={texts.renameTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form={formId} isBusy={rename.isPending}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(formText(new FormData(event.currentTarget), 'name').trim());
        }}
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
        {rename.error && <Failure error={rename.error} />}
      </form>
    </Dialog>
  );
};

export const RemovePasskey = ({ passkey, onClose }: PasskeyDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(securityTexts);
  const remove = useChange({
    change: (api) => removePasskey(api, passkey.id),
    done: () => texts.removed(passkey.name),
    onDone: onClose,
  });
  return (
    <Dialog
      title={texts.removeTitle(passkey.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.remove}
          </Button>
        </>
      }
    >
      <p>{texts.removeText}</p>
      {remove.error && <Failure error={remove.error} />}
    </Dialog>
  );
};
