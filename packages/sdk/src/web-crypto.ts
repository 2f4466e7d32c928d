// Node 18 has Web Crypto only in this module. As a variable, bundlers for other runtimes do not look for it.
const nodeCrypto = 'node:crypto';

/** Web Crypto of any runtime. */
export const webCrypto = async (): Promise<typeof crypto> =>
  typeof crypto === 'undefined' ? (await import(nodeCrypto)).webcrypto : crypto;

/** 32 random hexadecimal digits. */
export const randomKey = async (): Promise<string> => {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
