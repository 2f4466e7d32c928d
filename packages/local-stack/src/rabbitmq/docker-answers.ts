import { runCommand } from '../processes/run-command.ts';

/** Whether a Docker engine can be used. */
export const dockerAnswers = (): Promise<boolean> =>
  // the format makes it fail if there is only the client
  runCommand(['docker', 'info', '--format', '{{.ServerVersion}}']).then(
    (version) => version.trim() !== '',
    () => false,
  );
