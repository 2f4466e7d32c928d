interface Wanted {
  readonly host: string;
  readonly port: number;
}

/** The error of a server that could not listen, with the remedy. */
export const listenFailure = (error: Error, { host, port }: Wanted): Error => {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return error;
  const remedy = 'Stop the process that listens there, or set PORT or OPERATIONS_PORT to a free port';
  return new Error(`port ${port} on ${host} is in use. ${remedy}`, { cause: error });
};
