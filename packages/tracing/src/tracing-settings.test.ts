import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { traceSampler } from './trace-sampler.ts';
import { tracingSettings } from './tracing-settings.ts';

const schema = z.object(tracingSettings);

// of all the traces that there may be, the first that a ratio takes and the last
const [low, high] = ['00000001'.padStart(32, '0'), 'ffffffff'.padStart(32, '0')];

/** What is recorded: of a new trace that is low or high, and of one that somebody else records. */
const recorded = (env: Readonly<Record<string, string>>) => {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = schema.parse(env);
  const isRecorded = (traceId: string, context = ROOT_CONTEXT) =>
    traceSampler(name, ratio).shouldSample(context, traceId, 'GET', SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
  const others = { traceId: high, spanId: 'ff'.repeat(8), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return [isRecorded(low), isRecorded(high), isRecorded(high, trace.setSpanContext(ROOT_CONTEXT, others))];
};

describe('what the environment says of tracing', () => {
  it.each([
    [{}, [true, true, true]],
    [{ OTEL_TRACES_SAMPLER: '', OTEL_TRACES_SAMPLER_ARG: '' }, [true, true, true]],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, [true, true, true]],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, [false, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, [true, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, [false, false, true]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, [true, false, true]],
  ])('decides what is recorded: %j', (env, expected) => {
    expect(recorded(env)).toEqual(expected);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '10' },
  ])('is refused where it is wrong: %j', (env) => {
    expect(schema.safeParse(env).success).toBe(false);
  });

  it('counts as unset where it is empty', () => {
    expect(schema.parse({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
  });
});
