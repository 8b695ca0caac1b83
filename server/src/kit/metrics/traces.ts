import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginCallback } from 'fastify';
import { toLoggedUrl } from '../logging.ts';

// A collector that does not answer must not keep a process from ending.
const longestMs = 2_000;

export type TraceSettings = {
  /** Address of the collector (OTLP over HTTP). */
  endpoint: string;
  /** Share of the requests that are traced: 0 none, 1 all. */
  share: number;
};

type Traces = {
  /** To be registered before any route. */
  plugin: FastifyPluginCallback;
  /** Sends the remaining traces. */
  close(): Promise<void>;
};

/**
 * Traces of requests, by route template. The libraries take a third of a second to load, so they are loaded only if traces are on. Clients can't choose
 * a trace id or whether a request is traced.
 */
export async function openTraces({ endpoint, share }: TraceSettings): Promise<Traces> {
  const [
    { FastifyOtelInstrumentation },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider },
  ] = await Promise.all([
    import('@fastify/otel'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: longestMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'handwise-server' }),
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  // Spans for hooks would add a dozen to each request.
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    requestHook: (span, request) => void span.setAttribute('url.path', toLoggedUrl(request.url)),
  });
  instrumentation.setTracerProvider(provider);
  return {
    plugin: instrumentation.plugin() as unknown as FastifyPluginCallback,
    close: () => Promise.race([provider.shutdown(), pause(longestMs, undefined, { ref: false })]),
  };
}
