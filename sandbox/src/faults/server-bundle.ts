import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'server/node_modules/.cache/bundled');
const program = 'server-process';

// Packages with native code, and packages that no start needs.
const apart = /^(sharp|pg-native|@img\/|@opentelemetry\/|@fastify\/otel|@expo-google-fonts\/)/;

/**
 * `server-process.ts` bundled into few files, because reading some two thousand takes more than half of a start. Rebuilt when a source has
 * changed.
 */
export async function bundledServer(): Promise<string> {
  const made = join(folder, hashOfSources());
  if (!existsSync(made)) await bundle(made);
  return join(made, `${program}.js`);
}

function hashOfSources() {
  // The bundle contains the paths of the sources.
  const hash = createHash('sha256')
    .update(root)
    .update(readFileSync(join(root, 'package-lock.json')));
  const sources = globSync(['server/src/**/*.ts', 'contract/src/**/*.ts', 'proof/src/**/*.ts', 'sandbox/src/faults/server-*.ts'], {
    cwd: root,
  });
  for (const path of sources.toSorted()) if (!path.endsWith('.test.ts')) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

async function bundle(into: string) {
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder).map((name) => join(folder, name))) {
    if (statSync(old).mtimeMs < Date.now() - 86_400_000) rmSync(old, { recursive: true, force: true });
  }
  const outDir = mkdtempSync(join(folder, 'making-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(import.meta.dirname, `${program}.ts`),
      outDir,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { external: apart },
    },
    plugins: [{ name: 'places of their own', enforce: 'pre', transform: keepPlaces }],
  });
  try {
    renameSync(outDir, into);
  } catch {
    // Another process has built it meanwhile.
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** Resolves files beside a module from its source. */
function keepPlaces(code: string, id: string) {
  if (!/import\.meta\.(dirname|url)|\b__(dirname|filename)\b/.test(code)) return null;
  const [place, file] = [JSON.stringify(dirname(id)), JSON.stringify(id)];
  return code
    .replaceAll('import.meta.dirname', place)
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll(/\b__dirname\b/g, place)
    .replaceAll(/\b__filename\b/g, file);
}

// Built before all tests, so that it is built once instead of by every process that starts a server.
if (import.meta.main) await bundledServer();
