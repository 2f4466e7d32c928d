import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { traceSampler } from './open-telemetry.ts';
import { tracingSettings } from './tracing-settings.ts';

const schema = z.object(tracingSettings);

// a low trace id, which every ratio includes, and a high one, which only 1 includes
const [low, high] = ['00000001'.padStart(32, '0'), 'ffffffff'.padStart(32, '0')];

/** Whether a trace is recorded: a new one with a low id, with a high id, and one that the caller records. */
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
  ])('chooses the recorded traces by %j', (env, expected) => {
    expect(recorded(env)).toEqual(expected);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '10' },
  ])('rejects the tracing settings %j', (env) => {
    expect(schema.safeParse(env).success).toBe(false);
  });

  it('treats an empty OTEL_EXPORTER_OTLP_ENDPOINT as not set', () => {
    expect(schema.parse({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
  });
});
