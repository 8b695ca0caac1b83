import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginCallback } from 'fastify';
import { loggedUrl } from '../logged-request.ts';

// A collector that does not answer must not keep a process from ending.
const longestMs = 2_000;

export type TraceSettings = {
  /** Where traces go, by OTLP over HTTP. */
  endpoint: string;
  /** How many of the requests are traced: 0 none, 1 all. */
  share: number;
};

type Traces = {
  /** To be registered before any route. */
  plugin: FastifyPluginCallback;
  /** Sends what has not been sent. */
  close(): Promise<void>;
};

/**
 * Traces of requests, by the template of their route. Nothing of it is loaded where nobody asks for them: it takes a third of a second. Whoever sends a request neither names
 * its trace nor decides whether there is one.
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
  // A span for each hook would be a dozen for each request.
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    requestHook: (span, request) => void span.setAttribute('url.path', loggedUrl(request.url)),
  });
  instrumentation.setTracerProvider(provider);
  return {
    plugin: instrumentation.plugin() as unknown as FastifyPluginCallback,
    close: () => Promise.race([provider.shutdown(), pause(longestMs, undefined, { ref: false })]),
  };
}
