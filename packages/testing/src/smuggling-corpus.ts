const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
const lines = (...all: readonly string[]) => [...all, '', ''].join('\r\n');

interface Framed {
  /** Where the first request goes, and its headers, but for Host and those of its length. */
  readonly path: string;
  readonly headers: readonly string[];
  /** A whole request that a proxy would take for a part of the first one. */
  readonly hidden: string;
}

interface Smuggled {
  readonly name: string;
  readonly wire: string;
}

/**
 * Requests with a second one inside, which proxies and servers end at different places (RFC 9112, 11.2): the server must
 * refuse the first, close the connection, and not run the second.
 */
export const smugglingCorpus = ({ path, headers: sent, hidden }: Framed): readonly Smuggled[] => {
  const post = (...headers: readonly string[]) => lines(`POST ${path} HTTP/1.1`, 'Host: x', ...sent, ...headers);
  const chunked = 'Transfer-Encoding: chunked';
  const end = '0\r\n\r\n';
  const body = `${end}${hidden}`;

  // how the end of the body is said, by the headers alone
  const headers: Readonly<Record<string, readonly string[]>> = {
    'a length and chunks': [length(body), chunked],
    'chunks and a length': [chunked, length(body)],
    'two lengths': [length(body), 'Content-Length: 0'],
    'two lengths in one header': [`${length(body)}, 0`],
    'the same length twice in one header': ['Content-Length: 0, 0'],
    'a length with a sign': ['Content-Length: +0'],
    'a negative length': ['Content-Length: -1'],
    'a hexadecimal length': ['Content-Length: 0x0'],
    'a length with a fraction': ['Content-Length: 0.0'],
    'a length with a space inside': ['Content-Length: 0 0'],
    'an empty length': ['Content-Length: '],
    'a length beyond 64 bits': ['Content-Length: 18446744073709551616'],
    'a space before the colon of the length': ['Content-Length : 0'],
    'a length after a bare CR': ['X: y\rContent-Length: 0'],
    'a length in a folded line': ['X: y', ' Content-Length: 0'],
    'an encoding in a folded line': ['Transfer-Encoding:', ' chunked', length(body)],
    'an unknown encoding': ['Transfer-Encoding: xchunked'],
    'an encoding that is not the last': ['Transfer-Encoding: chunked, identity'],
    'the encoding identity': ['Transfer-Encoding: identity', length(body)],
    'two encodings': [chunked, 'Transfer-Encoding: identity'],
    'a quoted encoding': ['Transfer-Encoding: "chunked"', length(body)],
    'an encoding after a vertical tab': ['Transfer-Encoding: \vchunked', length(body)],
    'a space before the colon of the encoding': ['Transfer-Encoding : chunked', length(body)],
    'a tab before the colon of the encoding': ['Transfer-Encoding\t: chunked', length(body)],
    'a space before the encoding header': [` ${chunked}`, length(body)],
    'a NUL in the encoding': ['Transfer-Encoding: chunked\0', length(body)],
    'a name with a NUL': ['Transfer-Encoding\0: chunked', length(body)],
    'a line without a colon': ['Transfer-Encoding chunked', length(body)],
    'an encoding in HTTP/1.0 form with a length': ['Connection: Transfer-Encoding', chunked, length(body)],
  };

  // how long a chunk is
  const chunks: Readonly<Record<string, string>> = {
    'a chunk with a sign': `+0\r\n\r\n${hidden}`,
    'a negative chunk': `-1\r\n\r\n${hidden}`,
    'a chunk with a prefix': `0x0\r\n\r\n${hidden}`,
    'a chunk with an underscore': `0_0\r\n\r\n${hidden}`,
    'a chunk beyond 64 bits': `10000000000000000\r\n\r\n${hidden}`,
    'a chunk without a size': `\r\n\r\n${hidden}`,
    'a chunk that is longer than its size': `1\r\nab\r\n${body}`,
    'a chunk that ends with LF': `1\r\na\n${body}`,
    'a size that ends with LF': `0\n\n${hidden}`,
    'a size that ends with CR': `0\r\r\n${hidden}`,
    'a size with a space before': ` 0\r\n\r\n${hidden}`,
    'an extension that ends with LF': `0;a\nb\r\n\r\n${hidden}`,
    'an extension with a NUL': `0;a\0b\r\n\r\n${hidden}`,
  };

  return [
    ...Object.entries(headers).map(([name, own]) => ({ name, wire: post(...own) + body })),
    ...Object.entries(chunks).map(([name, own]) => ({ name, wire: post(chunked) + own })),
    { name: 'lines that end with LF', wire: post('Content-Length: 0').replaceAll('\r\n', '\n') + hidden },
    { name: 'headers that end with LF', wire: post('Content-Length: 0').replace(/\r\n\r\n$/, '\r\n\n') + hidden },
    { name: 'a request line with a third word', wire: post(length('')).replace(' HTTP', ' x HTTP') + hidden },
    { name: 'a request line without a version', wire: `GET ${path}\r\n\r\n${hidden}` },
    { name: 'an unknown version', wire: post(length('')).replace('HTTP/1.1', 'HTTP/1.9') + hidden },
    { name: 'a method in lower case', wire: post(length('')).replace('POST', 'post') + hidden },
    { name: 'a line that is no request', wire: `\0\r\n\r\n${hidden}` },
    { name: 'no host', wire: lines(`POST ${path} HTTP/1.1`, ...sent, length('')) + hidden },
    { name: 'two hosts', wire: post('Host: y', length('')) + hidden },
    { name: 'the preface of HTTP/2', wire: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}` },
  ];
};
