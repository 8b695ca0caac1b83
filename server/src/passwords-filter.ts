import { makeBreachedFilter } from './kit/identity/breached-passwords.ts';

// The command behind `npm run passwords:filter -- <list> <filter>`.
const [list, filter] = process.argv.slice(2);
if (list === undefined || filter === undefined) {
  console.error('Say which list, and where the filter goes: npm run passwords:filter -- passwords.txt breached.filter');
  process.exitCode = 1;
} else {
  try {
    const count = await makeBreachedFilter(list, filter);
    process.stdout.write(`${filter} knows ${count} breached passwords. Set BREACHED_PASSWORDS_FILE to it.\n`);
  } catch (error) {
    console.error(`The filter could not be made: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
