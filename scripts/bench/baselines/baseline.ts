import { z } from 'zod';
import { type BenchProcess, startBenchProcess } from '../bench-process.ts';

type Env = Readonly<Record<string, string>>;

export interface BaselineServer extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
}

const urlSchema = z.string();

const scripts = {
  page: new URL('serve-page.ts', import.meta.url),
  redirect: new URL('serve-redirect.ts', import.meta.url),
  registration: new URL('serve-registration.ts', import.meta.url),
} as const;

/** Starts a server that answers with its URL. */
export const startBaseline = async (name: keyof typeof scripts, env: Env): Promise<BaselineServer> => {
  const child = startBenchProcess(scripts[name], env);
  const url = urlSchema.parse(await child.ask('url'));
  return { pid: child.pid, url, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
};

const sentSchema = z.object({ operations: z.int(), seconds: z.number() });

/** Lets a sender send for some seconds; returns how many events it sent, and in what time. */
export const sendFor = async (sender: BenchProcess, seconds: number): Promise<z.infer<typeof sentSchema>> =>
  sentSchema.parse(await sender.ask({ seconds }));

/** Meta's own library. */
export const startLibrary = (env: Env): BenchProcess =>
  startBenchProcess(new URL('send-with-sdk.ts', import.meta.url), env);

/** graphile-worker in a database of its own, which gets so many jobs. */
export const startJobs = async (env: Env, jobs: number): Promise<BenchProcess> => {
  const child = startBenchProcess(new URL('send-with-graphile.ts', import.meta.url), env);
  await child.ask({ add: jobs });
  return child;
};
