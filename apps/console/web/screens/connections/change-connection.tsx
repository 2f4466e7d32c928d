import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ConnectionReply, PlatformForm } from '../../../src/contract/connections.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { ConnectionForm } from './connection-form.tsx';
import styles from './style.module.css';
import { changeConnection, connectionQuery, connectionsQuery } from './queries.ts';
import { connectionTexts } from './texts.ts';
import { useForm } from './use-form.ts';
import { useChangedMeanwhile } from './use-changed-meanwhile.ts';
import { problemsIn, Wrong } from './wrong.tsx';

const route = getRouteApi('/signed-in/a/$account/connections/$connection');

interface ChangeConnectionProps {
  readonly platform: PlatformForm;
  readonly found: ConnectionReply;
}

/** The settings of a connection. If somebody else changes them meanwhile, what was typed stays and the rest is renewed. */
export const ChangeConnection = ({ platform, found }: ChangeConnectionProps) => {
  const texts = useTexts(connectionTexts);
  const api = useApi();
  const client = useQueryClient();
  const may = useMay('manage-connections');
  const { account, connection: id } = route.useParams();
  const { fix } = route.useSearch();
  const navigate = route.useNavigate();
  const form = useForm(platform, { ...found, eventKinds: found.connection.eventKinds });
  // the edition that the person has seen: a change of another one since then is shown before it is overwritten
  const [seen, setSeen] = useState(found);
  if (!form.isChanged && seen !== found) setSeen(found);
  const changed = useChangedMeanwhile(platform, seen, found);
  useEffect(() => {
    if (fix !== undefined) document.querySelector<HTMLElement>('[data-wanted]')?.focus();
  }, [fix]);
  const own = connectionQuery(api, account, id);
  const save = useMutation({
    mutationFn: () => changeConnection(api, account, id, { edition: seen.edition, ...form.input }),
    onSuccess: async (stored) => {
      form.reset();
      setSeen(stored);
      client.setQueryData(own.queryKey, stored);
      showToast(stored.connection.state === 'active' ? texts.saved : texts.savedInactive);
      await client.invalidateQueries({ queryKey: connectionsQuery(api, account).queryKey });
      return navigate({ search: {}, resetScroll: false });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conflict') void client.invalidateQueries(own);
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict';
  return (
    <Card>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {found.credentials === null && <p className={styles.warning}>{texts.unreadable}</p>}
        <fieldset className={styles.all} disabled={!may}>
          <ConnectionForm
            platform={platform}
            form={form}
            problems={problemsIn(save.error)}
            wanted={may ? (fix?.split(',') ?? []) : []}
          />
        </fieldset>
        {isConflict && changed.length > 0 && (
          <div className={styles.warning} role="alert">
            <p>{texts.conflict}</p>
            <ul>
              {changed.map(({ label, now }) => (
                <li key={label}>
                  {label}: <strong>{now === '' ? texts.none : now}</strong>
                </li>
              ))}
            </ul>
            <Button
              onClick={() => {
                save.reset();
                setSeen(found);
              }}
            >
              {texts.seen}
            </Button>
          </div>
        )}
        {save.error && !isConflict && <Wrong error={save.error} />}
        {may && (
          <div className={styles.buttons}>
            <Button
              look="primary"
              type="submit"
              disabled={!form.isChanged || form.eventKinds.length === 0 || isConflict}
              isBusy={save.isPending}
            >
              {texts.save}
            </Button>
            {form.isChanged && (
              <Button
                onClick={() => {
                  form.reset();
                  save.reset();
                  setSeen(found);
                }}
              >
                {texts.discard}
              </Button>
            )}
          </div>
        )}
      </form>
    </Card>
  );
};
