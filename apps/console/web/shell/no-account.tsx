import { Button } from '../parts/button.tsx';
import { useTexts } from '../text/language.tsx';
import { Notice } from './notice.tsx';
import { shellTexts } from './texts.ts';
import { useSignOut } from './use-sign-out.ts';

export const NoAccount = () => {
  const texts = useTexts(shellTexts);
  const signOut = useSignOut();
  return (
    <Notice
      title={texts.noAccount}
      text={texts.noAccountText}
      action={<Button onClick={() => void signOut()}>{texts.signOut}</Button>}
    />
  );
};
