import { importPlaces } from '@handwise/server/domains/places/places.service';

// `npm run places:import -- <files>`
try {
  const { localities, matched, added, retired } = importPlaces(process.argv.slice(2));
  process.stdout.write(
    `${localities} localities: ${matched} keep their codes, ${added} are new, ${retired} are gone. Look at the change, then restart the servers.\n`,
  );
} catch (error) {
  console.error(`Nothing was changed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
