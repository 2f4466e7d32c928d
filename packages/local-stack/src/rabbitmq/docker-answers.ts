import { runCommand } from '../processes/run-command.ts';

/** Whether there is a Docker engine here that takes our orders. */
export const dockerAnswers = (): Promise<boolean> =>
  // the format makes it fail where only the client is there
  runCommand(['docker', 'info', '--format', '{{.ServerVersion}}']).then(
    (version) => version.trim() !== '',
    () => false,
  );
