import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { webhooksTexts } from './texts.ts';

type Topic = Webhook['events'][number];

export const topics = [
  'feedback.delivered',
  'feedback.failed',
  'feedback.skipped',
  'connection.needs_attention',
  'connection.recovered',
  'import.finished',
  'reconciliation.finished',
  'page.target_changed',
] as const satisfies readonly Topic[];

/** What needs action. */
export const usualTopics: readonly Topic[] = ['feedback.failed', 'connection.needs_attention', 'page.target_changed'];

interface EventChoicesProps {
  readonly chosen: readonly Topic[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly Topic[]) => void;
}

export const EventChoices = ({ chosen, problem, onChange }: EventChoicesProps) => {
  const texts = useTexts(webhooksTexts);
  return (
    <fieldset className={styles.choices} aria-describedby={problem === undefined ? undefined : 'events-problem'}>
      <legend>{texts.events}</legend>
      {topics.map((topic) => (
        <label key={topic} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(topic)}
            onChange={({ target: { checked } }) =>
              onChange(topics.filter((one) => (one === topic ? checked : chosen.includes(one))))
            }
          />
          {topic}
          <small>{texts.topics[topic]}</small>
        </label>
      ))}
      {problem !== undefined && (
        <p id="events-problem" className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
};
