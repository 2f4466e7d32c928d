import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Stack } from '../../parts/stack.tsx';
import { useTexts } from '../../text/language.tsx';
import { webhooksTexts } from './texts.ts';

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Closes by its button alone: a click beside it must not lose the secret. */
export const SecretDialog = ({ title, secret, onClose, children }: SecretDialogProps) => {
  const texts = useTexts(webhooksTexts);
  return (
    <Dialog
      title={title}
      actions={
        <Button look="primary" onClick={onClose}>
          {texts.stored}
        </Button>
      }
    >
      <Stack>
        {children}
        <ShownOnce title={texts.secret} value={secret} />
      </Stack>
    </Dialog>
  );
};
