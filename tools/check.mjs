import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { install } from './install.mjs';

await install();
const { passed, failed } = await runChecks(build());
console.log(`${passed} checks passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
