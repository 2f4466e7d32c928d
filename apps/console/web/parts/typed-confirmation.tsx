import { type ReactNode, useState } from 'react';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { Field } from './field.tsx';
import { Stack } from './stack.tsx';

interface TypedConfirmationProps {
  readonly title: string;
  /** What has to be typed: the name of what is lost. */
  readonly name: string;
  /** What the button does. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What it means. */
  readonly children: ReactNode;
}

/** For what cannot be undone, or stops others: the button works once the name is typed. */
export const TypedConfirmation = (props: TypedConfirmationProps) => {
  const { title, name, action, isBusy, error, onConfirm, onClose, children } = props;
  const texts = useTexts(commonTexts);
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name.trim();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" form="typed-confirmation" disabled={!isRight} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id="typed-confirmation"
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) onConfirm();
        }}
      >
        <Stack>
          {children}
          <Field
            label={texts.typeName(name)}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            data-focus
          />
          {error && <Failure error={error} />}
        </Stack>
      </form>
    </Dialog>
  );
};
