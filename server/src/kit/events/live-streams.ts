import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { liveCommentSeconds, type LiveEvents } from '@handwise/contract/live-events';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { type LiveEvent, readEvents, readPosition, rememberPresence } from './live-events.ts';

/** The streams of one person on one server: more than anybody has windows open, tabs share one. */
const maxOfUser = 10;
/** Of one network on one server. */
const maxOfNetwork = 200;
/** A reader who lets more than this wait gets no more until it has taken that. Whoever takes nothing for two heartbeats is dropped. */
const maxWaitingBytes = 64 * 1024;
const heartbeatMs = liveCommentSeconds * 1000;
/** Each so many heartbeats it is seen that the sessions still hold. */
const checkEvery = 3;
const eventsAtOnce = 500;
const retryMs = 1_000;

type Asked = { userId: string; token: string; network: string | null; lastEventId: number | undefined; response: ServerResponse };
type Stream = {
  userId: string;
  token: string;
  network: string | null;
  response: ServerResponse;
  /** The number of the last event that was written. */
  sent: number;
  /** It has caught up and gets events as they come. */
  live: boolean;
  /** Nothing was taken from it since the last heartbeat. */
  stuck: boolean;
};

type Greeting = { [Kind in keyof LiveEvents]: { kind: Kind; data: LiveEvents[Kind] } }[keyof LiveEvents];

type Parts = {
  context: Context;
  logger: Logger;
  /** Whether a session still holds. */
  holds: (token: string) => Promise<boolean>;
  /** What a stream begins with that does not go on where another one ended. */
  greet: (userId: string) => Promise<readonly Greeting[]>;
};

/** Resolves when all that waited was taken, or nobody is there any more. */
async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {});
  over.abort();
}

const asText = (seq: number, kind: string, data: unknown) => `id: ${seq}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

/** The open streams of live events of this server. What is to be told is read from the database, whichever server it happened on. */
export class LiveStreams {
  readonly #parts: Parts;
  readonly #ofUser = new Map<string, Set<Stream>>();
  readonly #ofNetwork = new Map<string, number>();
  readonly #behind = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isReading = false;
  #beats = 0;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { events } = parts.context;
    events.on('live-events', (told) => this.#hear(told === 'many' ? [...this.#ofUser.keys()] : told));
    events.on('sessions', (told) => void this.#check(told === 'many' ? [...this.#ofUser.keys()] : told));
    this.#timer = setInterval(() => void this.beat(), heartbeatMs);
    this.#timer.unref();
  }

  /** Throws `too_many_requests` where somebody has too many open. Otherwise answers, and goes on until one of both ends it. */
  async open(asked: Asked, headers: OutgoingHttpHeaders): Promise<void> {
    const { userId, token, network, response } = asked;
    if (this.#closed) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    const own = this.#ofUser.get(userId)?.size ?? 0;
    const near = network === null ? 0 : (this.#ofNetwork.get(network) ?? 0);
    if (own >= maxOfUser || near >= maxOfNetwork) throw new AppError('too_many_requests', { retryAfterSeconds: 60 });
    const stream: Stream = { userId, token, network, response, sent: 0, live: false, stuck: false };
    this.#add(stream);
    response.on('close', () => this.#remove(stream));
    // Nobody is left to be told.
    response.on('error', () => this.#remove(stream));
    try {
      await this.#begin(stream, asked.lastEventId, headers);
    } catch (error) {
      this.#remove(stream);
      throw error;
    }
  }

  /** Ends every stream, so that the browsers go to another server. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const stream of this.#begun()) this.#end(stream);
  }

  /** A sign of life to each stream, and to the database that these people are there. By the clock; tests call it. */
  async beat(): Promise<void> {
    this.#beats += 1;
    for (const stream of this.#begun()) {
      if (stream.stuck && stream.response.writableLength > 0) stream.response.destroy();
      else stream.response.write(':\n\n');
      stream.stuck = stream.response.writableLength > 0;
    }
    const { db, clock } = this.#parts.context;
    const users = [...this.#ofUser.keys()];
    if (users.length > 0) await rememberPresence(db, users, clock.now()).catch((error: unknown) => this.#warn(error));
    if (this.#beats % checkEvery === 0) await this.#check(users);
  }

  async #begin(stream: Stream, lastEventId: number | undefined, headers: OutgoingHttpHeaders) {
    const { db, clock } = this.#parts.context;
    const { userId, response } = stream;
    const { last, oldest } = await readPosition(db, userId);
    const isKnown = lastEventId !== undefined && lastEventId <= last;
    const goesOn = isKnown && (lastEventId === last || (oldest !== null && oldest <= lastEventId + 1));
    stream.sent = goesOn ? lastEventId : last;
    const greetings = goesOn ? [] : await this.#parts.greet(userId);
    if (!(await this.#parts.holds(stream.token))) throw new AppError('not_authenticated');
    await rememberPresence(db, [userId], clock.now());
    if (this.#closed) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    response.writeHead(200, headers);
    response.write('retry: 2000\n\n');
    if (lastEventId !== undefined && !goesOn) response.write(asText(last, 'reset', {}));
    for (const { kind, data } of greetings) response.write(asText(last, kind, data));
    // From here on it is an answer under way: what goes wrong ends it, and the browser comes back.
    void this.#catchUp(stream);
  }

  async #catchUp(stream: Stream) {
    const { response, userId } = stream;
    try {
      for (;;) {
        if (response.writableNeedDrain) await drained(response);
        const events = await readEvents(this.#parts.context.db, new Map([[userId, stream.sent]]), eventsAtOnce);
        if (!this.#isOpen(stream)) return;
        const fits = events.every((event) => this.#write(stream, event));
        if (fits && events.length < eventsAtOnce) break;
      }
    } catch (error) {
      this.#warn(error);
      response.destroy();
      return;
    }
    stream.live = true;
    // For what was committed between the last read and now.
    this.#hear([userId]);
  }

  /** Whether there is room for more. */
  #write(stream: Stream, { seq, kind, data }: LiveEvent): boolean {
    stream.sent = seq;
    stream.response.write(asText(seq, kind, data));
    return stream.response.writableLength <= maxWaitingBytes;
  }

  #hear(userIds: readonly string[]) {
    for (const id of userIds) if (this.#ofUser.has(id)) this.#behind.add(id);
    if (!this.#isReading) void this.#read();
  }

  /** One read at a time, for all who are behind by then. */
  async #read() {
    this.#isReading = true;
    while (this.#behind.size > 0 && !this.#closed) {
      const users = [...this.#behind];
      this.#behind.clear();
      const live = users.flatMap((id) => {
        const streams = [...(this.#ofUser.get(id) ?? [])].filter((stream) => stream.live);
        return streams.length > 0 ? [[id, Math.min(...streams.map((stream) => stream.sent))] as const] : [];
      });
      if (live.length === 0) continue;
      try {
        const events = await readEvents(this.#parts.context.db, new Map(live), eventsAtOnce);
        for (const event of events) this.#send(event);
        if (events.length === eventsAtOnce) for (const [id] of live) this.#behind.add(id);
      } catch (error) {
        this.#warn(error);
        for (const id of users) this.#behind.add(id);
        await wait(retryMs, undefined, { ref: false });
      }
    }
    this.#isReading = false;
  }

  #send(event: LiveEvent) {
    for (const stream of this.#ofUser.get(event.userId) ?? []) {
      if (!stream.live || stream.sent >= event.seq) continue;
      if (this.#write(stream, event)) continue;
      stream.live = false;
      void this.#catchUp(stream);
    }
  }

  async #check(userIds: readonly string[]) {
    for (const id of userIds) {
      for (const stream of this.#ofUser.get(id) ?? []) {
        // Where that cannot be known now, the next heartbeat asks again.
        const holds = await this.#parts.holds(stream.token).catch(() => true);
        if (!holds && stream.response.headersSent) this.#end(stream);
      }
    }
  }

  // Forgotten at once: what came after the end of an answer would be a fault of the whole server.
  #end(stream: Stream) {
    this.#remove(stream);
    stream.response.end();
  }

  #isOpen = (stream: Stream) => this.#ofUser.get(stream.userId)?.has(stream) ?? false;

  #begun = () => [...this.#ofUser.values()].flatMap((streams) => [...streams].filter(({ response }) => response.headersSent));

  #warn(error: unknown) {
    this.#parts.logger.warn({ err: error }, 'live events cannot be read');
  }

  #add(stream: Stream) {
    const { userId, network } = stream;
    const own = this.#ofUser.get(userId) ?? new Set();
    this.#ofUser.set(userId, own.add(stream));
    if (network !== null) this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? 0) + 1);
  }

  #remove(stream: Stream) {
    const own = this.#ofUser.get(stream.userId);
    if (!own?.delete(stream)) return;
    if (own.size === 0) this.#ofUser.delete(stream.userId);
    if (stream.network === null) return;
    const left = (this.#ofNetwork.get(stream.network) ?? 1) - 1;
    if (left === 0) this.#ofNetwork.delete(stream.network);
    else this.#ofNetwork.set(stream.network, left);
  }
}
