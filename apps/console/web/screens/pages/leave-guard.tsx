import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useTexts } from '../../text/language.tsx';
import { pagesTexts } from './texts.ts';

/** Asks before unsaved changes are left; the browser asks before it closes the tab. */
export const LeaveGuard = ({ isDirty }: { readonly isDirty: boolean }) => {
  const texts = useTexts(pagesTexts).leave;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      title={texts.title}
      onClose={reset}
      actions={
        <>
          <Button onClick={proceed}>{texts.leave}</Button>
          <Button look="primary" onClick={reset} data-focus>
            {texts.stay}
          </Button>
        </>
      }
    >
      {texts.text}
    </Dialog>
  );
};
