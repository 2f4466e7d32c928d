import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery, useApi, useSession } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SignInForm } from '../screens/sign-in/parts.tsx';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import styles from './late.module.css';

interface SessionLostProps {
  readonly onSignedIn: () => void;
}

/** Asks for a new sign-in over the page, which stays as it is: what was typed is not lost. */
export const SessionLost = ({ onSignedIn }: SessionLostProps) => {
  const texts = useTexts(commonTexts);
  const api = useApi();
  const client = useQueryClient();
  const { person } = useSession();
  return (
    <Dialog title={texts.lost}>
      <p className={styles.text}>{texts.lostText}</p>
      <SignInForm
        email={person?.email}
        onSignedIn={(session) => {
          // what is on the page belongs to the person who was signed in
          if (session.person?.id !== person?.id) return location.assign('/');
          client.setQueryData(sessionQuery(api).queryKey, session);
          onSignedIn();
          void client.invalidateQueries();
        }}
      />
    </Dialog>
  );
};
