import type { IssueKeyReply } from '../../../src/contract/keys.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Stack } from '../../parts/stack.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { keysTexts } from './texts.ts';

interface NewKeyProps {
  readonly issued: IssueKeyReply;
  readonly onClose: () => void;
}

/** Closes with its button alone, so that the key is not lost by a click beside it. */
export const NewKey = ({ issued: { key, apiUrl }, onClose }: NewKeyProps) => {
  const texts = useTexts(keysTexts);
  const line = apiUrl !== null && `curl ${new URL('/api/v1/', apiUrl).href} -H 'x-api-key: ${key}'`;
  return (
    <Dialog
      title={texts.issuedTitle}
      actions={
        <Button look="primary" onClick={onClose}>
          {texts.stored}
        </Button>
      }
    >
      <Stack>
        <p>{texts.issuedText}</p>
        <ShownOnce title={texts.key} value={key} />
        {line !== false && (
          <section className={styles.try}>
            <h3>
              {texts.tryIt}
              <CopyButton text={line} what={texts.tryIt} />
            </h3>
            <pre className={styles.lines}>{line}</pre>
            <p>{texts.tryText}</p>
          </section>
        )}
      </Stack>
    </Dialog>
  );
};
