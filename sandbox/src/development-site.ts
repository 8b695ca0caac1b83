import { join } from 'node:path';
import { createServer } from 'vite';
import type { Site } from '@handwise/server/http/app';
import type { SiteBuild } from '@handwise/server/kit/pages';

const webDir = join(import.meta.dirname, '../../web');

/** The site through Vite, without a build. */
export async function developmentSite(): Promise<Site> {
  const vite = await createServer({
    root: webDir,
    configFile: join(webDir, 'vite.config.ts'),
    server: { middlewareMode: true },
    appType: 'custom',
  });
  return {
    mode: 'development',
    assetsDir: null,
    middleware: vite.middlewares,
    loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<unknown> as Promise<SiteBuild>,
    close: () => vite.close(),
  };
}
