import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery, useApi, useSession } from '../api/use-api.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { useTexts } from '../text/language.tsx';
import { useFormat } from '../text/use-format.ts';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';

/** Tells once of wrong codes with the right password. */
export const GuessedCodes = () => {
  const texts = useTexts(shellTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { guessedCodes } = useSession();
  const confirm = useMutation({
    mutationFn: (count: number) => api.postSession('/api/session/guessed-codes', { count }),
    onSuccess: (session) => client.setQueryData(sessionQuery(api).queryKey, session),
  });
  if (!guessedCodes) return null;
  const { count, since } = guessedCodes;
  return (
    <div className={styles.note} role="status">
      <p>{texts.guessedCodes(format.count(count), format.time(since))}</p>
      <p>
        <Link to="/security">{texts.guessedCodesChange}</Link>{' '}
        <Button look="quiet" isBusy={confirm.isPending} onClick={() => confirm.mutate(count)}>
          {texts.guessedCodesRead}
        </Button>
      </p>
      {confirm.error && <Failure error={confirm.error} />}
    </div>
  );
};
