import { Refusal, type RefusalName } from '@leadback/domain';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import type { BodyReader } from './body-reader.ts';
import { textOnly } from './text-body.ts';

export const mediaType = 'application/json';

interface BodySize {
  readonly bytesMax: number;
  readonly tooLarge: RefusalName;
}

/** The refusal that an error of raw-body means; otherwise the error. */
const refusalOfError = (error: unknown, tooLarge: RefusalName): unknown => {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new Refusal(tooLarge);
  return type === 'request.aborted' ? new Refusal('invalid-json.incomplete') : error;
};

const readBody = async (request: Request, { bytesMax, tooLarge }: BodySize): Promise<Buffer> => {
  // express.json() reads a body that is too large to its end before it refuses it
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit: bytesMax, ...(length !== undefined && { length }) });
  } catch (error) {
    throw refusalOfError(error, tooLarge);
  }
};

// invalid UTF-8 is refused: replacement characters would change names
const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('invalid-json.encoding');
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-json');
  }
};

const jsonReader = (size: BodySize, wrongType: RefusalName = 'unsupported-media-type'): BodyReader => ({
  mediaType,
  refusals: [size.tooLarge, wrongType],
  handlers: [
    textOnly(mediaType, wrongType),
    async (request, _response, next) => {
      request.body = parsed(decoded(await readBody(request, size)));
      next();
    },
  ],
});

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody = jsonReader({ bytesMax: 64 * 1024, tooLarge: 'body-too-large' });

/** Accepts JSON in UTF-8 of at most 1 MiB. */
export const jsonBatchBody = jsonReader({ bytesMax: 1024 * 1024, tooLarge: 'body-too-large.batch' });

/** The same, where CSV is accepted as well. */
export const jsonListBody = jsonReader(
  { bytesMax: 1024 * 1024, tooLarge: 'body-too-large.list' },
  'unsupported-media-type.list',
);
