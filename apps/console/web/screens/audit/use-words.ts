import { useTexts } from '../../text/language.tsx';
import { auditTexts } from './texts.ts';

/** An action in words; one without them as it is. */
export const useActionName = (): ((action: string) => string) => {
  const names: Readonly<Record<string, string>> = useTexts(auditTexts).actions;
  return (action) => names[action] ?? action;
};

/** `operator <user>`: at the command line. `key <id>`: through the API. */
export const useActorName = (): ((actor: string) => string) => {
  const texts = useTexts(auditTexts);
  return (actor) => {
    const [kind, ...rest] = actor.split(' ');
    const name = rest.join(' ');
    if (kind === 'operator' && name !== '') return texts.commandLine(name);
    return kind === 'key' && name !== '' ? texts.key(name) : actor;
  };
};
