import type { InvitationReply } from '../../../src/contract/people.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Stack } from '../../parts/stack.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { peopleTexts } from './texts.ts';

interface NewLinkProps {
  readonly invitation: InvitationReply;
  readonly onClose: () => void;
}

/** Closes with its button alone, so that the link is not lost by a click beside it. */
export const NewLink = ({ invitation: { email, url, expiresAt }, onClose }: NewLinkProps) => {
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
