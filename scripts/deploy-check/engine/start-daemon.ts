import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inCache } from './cache-folder.ts';
import { tryProgram } from './program.ts';

/** The rule of this machine for packets that it passes on. Docker changes it to DROP, and leaves it so. */
const forwardPolicy = async (): Promise<string> => {
  const { stdout } = await tryProgram(['iptables', '-S', 'FORWARD']);
  return /^-P FORWARD (\w+)/.exec(stdout)?.[1] ?? 'ACCEPT';
};

// layers that are used no more, and the caches of builds
const configuration = { builder: { gc: { enabled: true, defaultKeepStorage: '6GB' } } };

const startMaxMs = 60_000;
const stopMaxMs = 30_000;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const readPid = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

/** Starts the Docker daemon of a folder, or takes over the one that a killed run has left. Disposing stops it. */
export const startDaemon = async (env: NodeJS.ProcessEnv): Promise<AsyncDisposable> => {
  const folder = inCache('docker');
  const [pidFile, logFile] = [join(folder, 'dockerd.pid'), join(folder, 'dockerd.log')];
  const [policyFile, configurationFile] = [join(folder, 'forward-policy'), join(folder, 'daemon.json')];
  const answers = async () => (await tryProgram(['docker', 'info'], { env })).status === 0;
  if (!(await answers())) {
    const log = openSync(logFile, 'w');
    writeFileSync(policyFile, await forwardPolicy());
    writeFileSync(configurationFile, JSON.stringify(configuration));
    const options = [
      '--config-file',
      configurationFile,
      '--data-root',
      inCache('docker', 'data'),
      '--exec-root',
      inCache('docker', 'run'),
      '--pidfile',
      pidFile,
    ];
    // in a session of its own, as Ctrl-C must not end it before the containers
    const daemon = spawn('dockerd', [...options, '--host', String(env['DOCKER_HOST'])], {
      env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    daemon.unref();
    for (const until = Date.now() + startMaxMs; !(await answers()); await pause(200)) {
      if (Date.now() > until || daemon.exitCode !== null) throw new Error(`Docker did not start. See ${logFile}`);
    }
  }
  return {
    [Symbol.asyncDispose]: async () => {
      const pid = readPid(pidFile);
      if (pid === undefined || !isAlive(pid)) return;
      await tryProgram(['docker', 'image', 'prune', '--force'], { env });
      process.kill(pid, 'SIGTERM');
      for (const until = Date.now() + stopMaxMs; isAlive(pid) && Date.now() < until; ) await pause(100);
      // its bridge stays otherwise
      await tryProgram(['ip', 'link', 'delete', 'docker0']).catch(() => {});
      await tryProgram(['iptables', '-P', 'FORWARD', readFileSync(policyFile, 'utf8')]);
    },
  };
};
