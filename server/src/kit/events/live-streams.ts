import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { liveCommentSeconds, type LiveEvents } from '@handwise/contract/live-events';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { type LiveEvent, readEvents, readPosition, recordPresence } from './live-events.ts';

/** Streams per user and server. Tabs of one browser share one. */
const maxOfUser = 10;
/** Streams per network and server. */
const maxOfNetwork = 200;
/** A client with more unread than this gets no more until it has read it. One that reads nothing for two heartbeats is disconnected. */
const maxBufferedBytes = 64 * 1024;
const heartbeatMs = liveCommentSeconds * 1000;
/** Sessions are checked on every so many heartbeats. */
const checkEvery = 3;
const eventsAtOnce = 500;
const retryMs = 1_000;

type StreamRequest = { userId: string; token: string; network: string | null; lastEventId: number | undefined; response: ServerResponse };
type Stream = {
  userId: string;
  token: string;
  network: string | null;
  response: ServerResponse;
  /** The number of the last event written. */
  sent: number;
  /** Has caught up, and gets new events as they come. */
  live: boolean;
  /** The client has read nothing since the last heartbeat. */
  stuck: boolean;
};

type Greeting = { [Kind in keyof LiveEvents]: { kind: Kind; data: LiveEvents[Kind] } }[keyof LiveEvents];

type Parts = {
  context: Context;
  logger: Logger;
  isValidSession: (token: string) => Promise<boolean>;
  /** The first events of a stream that doesn't continue an earlier one. */
  greet: (userId: string) => Promise<readonly Greeting[]>;
};

/** Resolves when the client has read everything, or has gone. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {});
  over.abort();
}

const formatEvent = (seq: number, kind: string, data: unknown) => `id: ${seq}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

/** The open streams of live events on this server. Events are read from the database, so it doesn't matter which server caused them. */
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
    events.on('live-events', (users) => this.#readFor(users === 'many' ? [...this.#ofUser.keys()] : users));
    events.on('sessions', (users) => void this.#checkSessions(users === 'many' ? [...this.#ofUser.keys()] : users));
    this.#timer = setInterval(() => void this.beat(), heartbeatMs);
    this.#timer.unref();
  }

  /** Throws `too_many_requests` if the user or the network has too many streams. Otherwise streams until either side ends it. */
  async open(request: StreamRequest, headers: OutgoingHttpHeaders): Promise<void> {
    const { userId, token, network, response } = request;
    if (this.#closed) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    const own = this.#ofUser.get(userId)?.size ?? 0;
    const near = network === null ? 0 : (this.#ofNetwork.get(network) ?? 0);
    if (own >= maxOfUser || near >= maxOfNetwork) throw new AppError('too_many_requests', { retryAfterSeconds: 60 });
    const stream: Stream = { userId, token, network, response, sent: 0, live: false, stuck: false };
    this.#add(stream);
    response.on('close', () => this.#remove(stream));
    response.on('error', () => this.#remove(stream));
    try {
      await this.#begin(stream, request.lastEventId, headers);
    } catch (error) {
      this.#remove(stream);
      throw error;
    }
  }

  /** Ends every stream, so that the browsers go to another server. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const stream of this.#started()) this.#end(stream);
  }

  /** The heartbeat: a comment to each stream, and the users' presence to the database. Runs on a timer; tests call it. */
  async beat(): Promise<void> {
    this.#beats += 1;
    for (const stream of this.#started()) {
      if (stream.stuck && stream.response.writableLength > 0) stream.response.destroy();
      else stream.response.write(':\n\n');
      stream.stuck = stream.response.writableLength > 0;
    }
    const { db, clock } = this.#parts.context;
    const users = [...this.#ofUser.keys()];
    if (users.length > 0) await recordPresence(db, users, clock.now()).catch((error: unknown) => this.#warn(error));
    if (this.#beats % checkEvery === 0) await this.#checkSessions(users);
  }

  async #begin(stream: Stream, lastEventId: number | undefined, headers: OutgoingHttpHeaders) {
    const { db, clock } = this.#parts.context;
    const { userId, response } = stream;
    const { last, oldest } = await readPosition(db, userId);
    const isKnown = lastEventId !== undefined && lastEventId <= last;
    const continues = isKnown && (lastEventId === last || (oldest !== null && oldest <= lastEventId + 1));
    stream.sent = continues ? lastEventId : last;
    const greetings = continues ? [] : await this.#parts.greet(userId);
    if (!(await this.#parts.isValidSession(stream.token))) throw new AppError('not_authenticated');
    await recordPresence(db, [userId], clock.now());
    if (this.#closed) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    response.writeHead(200, headers);
    response.write('retry: 2000\n\n');
    if (lastEventId !== undefined && !continues) response.write(formatEvent(last, 'reset', {}));
    for (const { kind, data } of greetings) response.write(formatEvent(last, kind, data));
    // The headers are sent, so an error from here on ends the stream, and the browser reconnects.
    void this.#catchUp(stream);
  }

  async #catchUp(stream: Stream) {
    const { response, userId } = stream;
    try {
      for (;;) {
        if (response.writableNeedDrain) await waitForDrain(response);
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
    // Events may have been committed since the last read.
    this.#readFor([userId]);
  }

  /** Returns whether the buffer has room for more. */
  #write(stream: Stream, { seq, kind, data }: LiveEvent): boolean {
    stream.sent = seq;
    stream.response.write(formatEvent(seq, kind, data));
    return stream.response.writableLength <= maxBufferedBytes;
  }

  #readFor(userIds: readonly string[]) {
    for (const id of userIds) if (this.#ofUser.has(id)) this.#behind.add(id);
    if (!this.#isReading) void this.#read();
  }

  /** One read at a time, for all users that are behind. */
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

  async #checkSessions(userIds: readonly string[]) {
    for (const id of userIds) {
      for (const stream of this.#ofUser.get(id) ?? []) {
        // If that can't be checked now, a later heartbeat checks it.
        const isValid = await this.#parts.isValidSession(stream.token).catch(() => true);
        if (!isValid && stream.response.headersSent) this.#end(stream);
      }
    }
  }

  // Removed first: writing to an ended response would crash the server.
  #end(stream: Stream) {
    this.#remove(stream);
    stream.response.end();
  }

  #isOpen = (stream: Stream) => this.#ofUser.get(stream.userId)?.has(stream) ?? false;

  #started = () => [...this.#ofUser.values()].flatMap((streams) => [...streams].filter(({ response }) => response.headersSent));

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
