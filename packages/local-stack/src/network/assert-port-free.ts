import { tryPort } from './try-port.ts';

/** Throws an error that names the port and the setting by which it is moved when the port cannot be had. */
export const assertPortFree = async (port: number, settingName: string): Promise<void> => {
  try {
    await tryPort(port);
  } catch (error) {
    throw new Error(`Port ${port} is taken; set ${settingName} to another one`, { cause: error });
  }
};
