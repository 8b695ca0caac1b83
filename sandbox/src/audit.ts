import { parseArgs } from 'node:util';
import { auditBooks, auditLines, holdsHead } from '@handwise/server/audit';
import { withDatabase } from './with-database.ts';

// The command behind `npm run audit`: exit code 0 where the books balance, else 1. With `-- --head <number>:<hash>` the audit log must
// also still hold that entry, as the server's log has kept it.
await withDatabase('The books could not be read', async (db) => {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const [, number, hash] = values.head === undefined ? [] : (/^(\d+):([0-9a-f]{64})$/i.exec(values.head) ?? []);
  if (values.head !== undefined && hash === undefined) throw new Error('--head wants <number>:<hash>, as the server has logged it');
  const reports = await auditBooks(db);
  console.log(auditLines(reports).join('\n'));
  if (reports.some((report) => report.wrong > 0)) process.exitCode = 1;
  if (hash !== undefined) {
    const holds = await holdsHead(db, { number: Number(number), hash });
    console.log(`The audit log ${holds ? 'still holds' : 'does not hold'} entry ${number} as it was kept.`);
    if (!holds) process.exitCode = 1;
  }
});
