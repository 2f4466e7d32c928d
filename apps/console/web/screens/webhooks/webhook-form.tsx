import { useState } from 'react';
import type { CreateWebhookInput } from '../../../src/contract/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { EventChoices } from './event-choices.tsx';
import { webhooksTexts } from './texts.ts';
import styles from './style.module.css';

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  readonly initial: CreateWebhookInput;
  /** The mode is chosen once. */
  readonly isNew: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (given: CreateWebhookInput) => void;
  readonly onClose: () => void;
}

/** URL, events and mode. What the server refuses is said below the fields, which keep what was typed. */
export const WebhookForm = (props: WebhookFormProps) => {
  const { title, action, initial, isNew, isBusy, error, onSubmit, onClose } = props;
  const common = useTexts(commonTexts);
  const texts = useTexts(webhooksTexts);
  const [given, setGiven] = useState(initial);
  const [isTried, setTried] = useState(false);
  const isWithoutEvents = given.events.length === 0;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="webhook" isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id="webhook"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isWithoutEvents) onSubmit(given);
        }}
      >
        <Field
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          maxLength={2000}
          placeholder="https://shop.example/leadback"
          autoCapitalize="none"
          spellCheck={false}
          value={given.url}
          onChange={(event) => setGiven({ ...given, url: event.target.value })}
          data-focus
        />
        {isNew && (
          <Select
            label={texts.mode}
            value={given.isTest ? 'test' : 'live'}
            options={[
              { value: 'live', label: texts.liveMode },
              { value: 'test', label: texts.testMode },
            ]}
            onChange={(mode) => setGiven({ ...given, isTest: mode === 'test' })}
          />
        )}
        <EventChoices
          chosen={given.events}
          problem={isTried && isWithoutEvents ? texts.noEvents : undefined}
          onChange={(events) => setGiven({ ...given, events: [...events] })}
        />
        {error && <Failure error={error} />}
      </form>
    </Dialog>
  );
};
