import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

/** Copies a text. `what` names it. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const texts = useTexts(commonTexts);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    showToast(texts.copied);
  };
  return <Button look="quiet" icon="copy" aria-label={`${texts.copy}: ${what}`} onClick={() => void copy()} />;
};
