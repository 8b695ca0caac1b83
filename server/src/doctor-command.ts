import { runDoctor } from './doctor/run-doctor.ts';

process.exitCode = await runDoctor(process.argv.slice(2), process.env, (line) => process.stdout.write(`${line}\n`));
