import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SiteBuild } from '../kit/pages/pages.ts';
import type { Site } from './app.ts';

const buildDir = join(import.meta.dirname, '../../../web/build');

/** The site built by `npm run build`. */
export function loadBuiltSite(): Site {
  let build: Promise<SiteBuild> | undefined;
  return {
    mode: 'production',
    assetsDir: join(buildDir, 'client'),
    loadBuild: () => (build ??= import(pathToFileURL(join(buildDir, 'server/index.js')).href) as Promise<SiteBuild>),
  };
}
