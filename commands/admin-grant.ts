import { makeAdministrator } from '@handwise/server/domains/admin/admin.service';
import { withDatabase } from './with-database.ts';

// `npm run admin:grant -- <email>`: exits with 0 if the account has the role now, else with 1.
const [email] = process.argv.slice(2);
if (email === undefined) {
  console.error('Usage: npm run admin:grant -- <email>');
  process.exitCode = 1;
} else {
  await withDatabase('The role could not be given', async (db) => {
    const obstacle = await makeAdministrator(db, email);
    console.log(obstacle ? `${email} is not an administrator: ${obstacle}.` : `${email} is now an administrator.`);
    if (obstacle) process.exitCode = 1;
  });
}
