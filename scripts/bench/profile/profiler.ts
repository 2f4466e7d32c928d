// Preloaded into an app: SIGUSR2 starts a CPU profile, the next one writes it to the folder PROFILE_FOLDER.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

const file = join(process.env['PROFILE_FOLDER'] ?? '.', `${process.pid}.cpuprofile`);
const session = new Session();
let isRunning = false;

const start = async (): Promise<void> => {
  isRunning = true;
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  await session.post('Profiler.start');
};

const stop = async (): Promise<void> => {
  isRunning = false;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file); // the benchmark waits for this name, and finds the file complete
};

process.on('SIGUSR2', () => void (isRunning ? stop() : start()));
