export type StreamEvent = { id: string; kind: string; data: string };

/** Reads a stream of server-sent events piece by piece, wherever a piece ends. What is no event, such as a heartbeat, is passed over. */
export function eventStreamReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let kind = '';
  let data: string[] = [];
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent({ id, kind: kind || 'message', data: data.join('\n') });
      kind = '';
      data = [];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') kind = value;
    if (field === 'data') data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line.replace(/\r$/, ''));
  };
}
