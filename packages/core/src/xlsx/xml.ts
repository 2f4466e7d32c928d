import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { damaged } from './parts.ts';

// a sheet has five levels, and its elements few and short attributes
const depthMax = 64;
const silentMax = 1024 * 1024;

type Attributes = Readonly<Record<string, string>>;

interface XmlHandlers {
  /** Names have no prefix: some programs write `x:row`. */
  readonly onOpen?: (name: string, attributes: Attributes) => void;
  readonly onText?: (text: string) => void;
  readonly onClose?: (name: string) => void;
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute with any prefix, such as `r:id`. */
export const attributeOf = (attributes: Attributes, wanted: string): string | undefined =>
  Object.entries(attributes).find(([name]) => name.includes(':') && localName(name) === wanted)?.[1];

/**
 * Reads XML piece by piece, and yields after each. Knows no entities but those of XML. Throws a `CsvProblem` for what would fill
 * the memory: elements without end in each other, or an element without end.
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): AsyncGenerator<void> {
  let depth = 0;
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        silent = 0;
        depth += 1;
        if (depth > depthMax) throw damaged();
        handlers.onOpen?.(localName(name), attributes);
      },
      ontext(text) {
        silent = 0;
        handlers.onText?.(text);
      },
      onclosetag(name) {
        silent = 0;
        depth -= 1;
        handlers.onClose?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    silent += chunk.length;
    if (silent > silentMax) throw damaged();
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
    await nextTurn();
  }
  parser.end(decoder.decode());
  yield;
}

/** Reads XML to its end. */
export const readWholeXml = async (chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> => {
  for await (const _piece of readXml(chunks, handlers));
};
