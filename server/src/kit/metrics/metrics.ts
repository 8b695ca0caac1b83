import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

type Labels = Record<string, string>;
/** A number, or one per set of labels. */
type Measured = number | readonly (readonly [Labels, number])[];
type Reading = () => Measured;
type Described = { name: `handwise_${string}`; help: string; labels?: readonly string[]; read: Reading };

// Cached pages take less than the first bucket, our own target is 100 ms, and a client gives up after 10 s.
const secondsOfRequests = [0.002, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const toSeries = (value: Measured) => (typeof value === 'number' ? [[{}, value] as const] : value);

/** The Prometheus metrics of one process. Names begin with `handwise_`, and those of Node with `process_` and `nodejs_`. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #refreshers: (() => Promise<void>)[] = [];
  readonly #readers: (() => void)[] = [];

  /** Memory, CPU time and event loop delay of the process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /**
   * Durations of requests by route template, because every URL would be a series of its own. The function that it returns counts a request that was
   * refused before Fastify saw it.
   */
  measureRequests(app: FastifyInstance, isInternal: (request: FastifyRequest) => boolean): (route: string) => void {
    const seconds = new Histogram({
      name: 'handwise_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by the template of its route',
      labelNames: ['method', 'route', 'status'],
      buckets: secondsOfRequests,
      registers: [this.#registry],
    });
    app.addHook('onResponse', (request, reply, done) => {
      if (!isInternal(request)) {
        const route = request.routeOptions.url ?? 'none';
        seconds.observe({ method: request.method, route, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1_000);
      }
      done();
    });
    return (route) => seconds.observe({ method: 'GET', route, status: '5xx' }, 0);
  }

  /** How often values fall into each bucket. The function that it returns counts one. */
  histogram({ name, help, labels, buckets }: Omit<Described, 'read'> & { buckets: number[] }): (labels: Labels, value: number) => void {
    const histogram = new Histogram({ name, help, labelNames: labels ?? [], buckets, registers: [this.#registry] });
    return (of, value) => histogram.observe(of, value);
  }

  /** A value that goes up and down, read at every scrape. */
  gauge({ name, help, labels = [], read }: Described): void {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [] });
    this.#registry.registerMetric(gauge);
    this.#readers.push(() => {
      gauge.reset();
      // A missing value must not be reported as 0.
      if (labels.length === 0) gauge.remove();
      for (const [of, value] of toSeries(read())) gauge.set(of, value);
    });
  }

  /** A value that only goes up and is counted elsewhere. */
  counter({ name, help, labels = [], read }: Described): void {
    const counter = new Counter({ name, help, labelNames: labels, registers: [] });
    this.#registry.registerMetric(counter);
    this.#readers.push(() => {
      counter.reset();
      for (const [of, value] of toSeries(read())) counter.inc(of, value);
    });
  }

  /** Runs `refresh` before every scrape. */
  beforeCollect(refresh: () => Promise<void>): void {
    this.#refreshers.push(refresh);
  }

  readonly contentType = this.#registry.contentType;

  /** All metrics in Prometheus' text format. */
  async text(): Promise<string> {
    await Promise.all(this.#refreshers.map((refresh) => refresh()));
    for (const read of this.#readers) read();
    return this.#registry.metrics();
  }
}
