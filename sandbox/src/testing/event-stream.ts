type StreamedEvent = { id: number; event: string; data: any };

/** A stream of live events as a browser reads it, with the events so far. */
export async function openEventStream(origin: string, token: string, lastEventId?: number, onEvent?: (event: StreamedEvent) => void) {
  const controller = new AbortController();
  const response = await fetch(`${origin}/api/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) },
    signal: controller.signal,
  });
  const events: StreamedEvent[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  let comments = 0;
  const take = (block: string) => {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const));
    if (block.startsWith(':')) comments += 1;
    const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
    if (id === undefined || event === undefined || data === undefined) return;
    const one = { id: Number(id), event, data: JSON.parse(data) };
    events.push(one);
    onEvent?.(one);
  };
  const read = async () => {
    let text = '';
    for await (const chunk of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(take);
      for (const check of waiting) check();
    }
  };
  // A cut connection counts as the end of the stream.
  const reading = (response.ok ? read() : Promise.resolve())
    .catch(() => {})
    .finally(() => {
      ended = true;
      for (const check of waiting) check();
    });
  /** Resolves when the condition is true, and rejects if the stream ends before. */
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!condition() && !ended) return;
        waiting.delete(check);
        if (condition()) resolve();
        else reject(new Error(`The stream has ended after ${JSON.stringify(events)}`));
      };
      waiting.add(check);
      check();
    });
  return {
    status: response.status,
    headers: response.headers,
    /** The events in their order. */
    events,
    comments: () => comments,
    until,
    /** Resolves after this many events of a kind. */
    untilCount: (event: string, count: number) => until(() => events.filter((one) => one.event === event).length >= count),
    /** Resolves when the server has ended the stream. */
    ended: reading,
    close: () => controller.abort(),
  };
}
