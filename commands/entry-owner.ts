import { findOwnerOfEntry } from '@handwise/server/domains/tickets/tickets.service';
import { readEnv } from '@handwise/server/env';
import { findKeyring } from '@handwise/server/kit/keys';
import { withDatabase } from './with-database.ts';

// `npm run entry:owner -- <entry id>`: finds the owner of a draw's entry, for an authority. It unseals deleted accounts with
// PRIZE_KEYS. Exits with 0 if the owner is known, else with 1.
const [entryId] = process.argv.slice(2);
const keyring = findKeyring(readEnv(process.env));
if (entryId === undefined) {
  console.error('Usage: npm run entry:owner -- <entry id>');
  process.exitCode = 1;
} else if (keyring === null) {
  console.error('PRIZE_KEYS is not set, and DATA_DIR has no prize-keys.json. Put the file back, or set the variable.');
  process.exitCode = 1;
} else {
  await withDatabase('The owner could not be found', async (db) => {
    const owner = await findOwnerOfEntry(db, { keyring }, entryId);
    if (typeof owner === 'string') process.exitCode = 1;
    if (owner === 'unknown') console.log(`There is no entry ${entryId}.`);
    else if (owner === 'erased') console.log(`Entry ${entryId} belonged to somebody who has left. Who it was has been erased.`);
    else console.log(`Entry ${entryId} belongs to ${owner.fullName} (${owner.username}), ${owner.email}.`);
  });
}
