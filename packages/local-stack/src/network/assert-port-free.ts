import { tryPort } from './try-port.ts';

/** Throws if the port is taken; the error names the setting that changes the port. */
export const assertPortFree = async (port: number, settingName: string): Promise<void> => {
  try {
    await tryPort(port);
  } catch (error) {
    throw new Error(`port ${port} is in use; set ${settingName} to another port`, { cause: error });
  }
};
