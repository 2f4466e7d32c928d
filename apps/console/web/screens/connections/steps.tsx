import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

const all = ['platform', 'settings', 'check'] as const;

/** Where in the wizard the person is. */
export const Steps = ({ current }: { readonly current: (typeof all)[number] }) => {
  const texts = useTexts(connectionTexts);
  return (
    <ol className={styles.steps}>
      {all.map((step, index) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} data-done={index < all.indexOf(current)}>
          <span aria-hidden="true">{index + 1}</span>
          {texts.steps[step]}
        </li>
      ))}
    </ol>
  );
};
