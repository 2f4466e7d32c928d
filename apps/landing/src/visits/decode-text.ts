import { isUtf8 } from 'node:buffer';

/** The text that octets spell, one character for each, in UTF-8; `otherwise` where they spell none. */
const inUtf8 = (octets: string, otherwise: string): string => {
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : otherwise;
};

/** The text of a header, which node reads byte by byte as ISO 8859-1 whatever it is. */
export const decodeText = (read: string): string => inUtf8(read, read);

const octet = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** A name or value of a query. What is not UTF-8 once decoded stays as it was written: so nothing of it is lost. */
const decoded = (written: string): string =>
  inUtf8(written.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, octet), written);

/** The names and values of a query as the request line has it, in their order. */
export const readQuery = (requestTarget: string): [name: string, value: string][] => {
  const start = requestTarget.indexOf('?');
  if (start === -1) return [];
  return requestTarget
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name), decoded(value.join('='))];
    });
};
