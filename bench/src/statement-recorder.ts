// Loaded into a server before anything else (`node --import`): writes each statement that it sends to its database into the file that
// STATEMENTS_FILE names, one JSON text a line, with its parameters as the driver sends them.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

const file = process.env['STATEMENTS_FILE'];
const { query } = pg.Client.prototype as unknown as { query: Query };

if (file) {
  const recorded: Query = function recorded(first, ...rest) {
    const [config, values] =
      typeof first === 'string' ? [{ text: first }, rest[0]] : [first as { text?: string; values?: unknown }, undefined];
    if (config?.text) {
      const given = values ?? ('values' in config ? config.values : undefined);
      appendFileSync(file, `${JSON.stringify({ text: config.text, values: Array.isArray(given) ? given : [] })}\n`);
    }
    return query.call(this, first, ...rest);
  };
  Object.assign(pg.Client.prototype, { query: recorded });
}
