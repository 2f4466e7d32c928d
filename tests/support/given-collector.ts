import { text } from 'node:stream/consumers';
import { givenServer } from '@leadback/testing';
import { z } from 'zod';

const valueSchema = z
  .object({ stringValue: z.string(), intValue: z.coerce.number() })
  .partial()
  .transform(({ stringValue, intValue }) => stringValue ?? intValue);

const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((attributes) => Object.fromEntries(attributes.map(({ key, value }) => [key, value])));

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema> & { readonly service: string };

/** An OpenTelemetry collector that stores what it receives (OTLP over HTTP, JSON). */
export const givenCollector = async () => {
  const bodies: string[] = [];
  const server = await givenServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const spans = (): CollectedSpan[] =>
    bodies
      .flatMap((body) => exportSchema.parse(JSON.parse(body)).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({ ...span, service: String(resource.attributes['service.name']) })),
        ),
      );

  /** Spans as lines of service and name, indented below their parents, in alphabetical order. */
  const linesOf = (trace: readonly CollectedSpan[], parent?: string, indent = ''): string[] =>
    trace
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .map(({ service, name, spanId }) => [
        `${indent}${service.replace('leadback-', '')}: ${name}`,
        ...linesOf(trace, spanId, `${indent}  `),
      ])
      .toSorted((one, other) => one.join('\n').localeCompare(other.join('\n')))
      .flat();

  return {
    ...server,
    spans,
    /** All request bodies. */
    received: () => bodies.join('\n'),
    linesOf: (traceId: string) => linesOf(spans().filter((span) => span.traceId === traceId)),
  };
};

export type TestCollector = Awaited<ReturnType<typeof givenCollector>>;
