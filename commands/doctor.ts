import { runDoctor } from '@handwise/server/doctor/run-doctor';

process.exitCode = await runDoctor(process.argv.slice(2), process.env, (line) => process.stdout.write(`${line}\n`));
