import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { inDatabase } from '../../sandbox/src/in-database.ts';

const longest = 60_000;

/** Migrated databases on this server, each made by the code of a copy of the tree as it stands. */
export const openTemplates = (url, env) => ({
  /** Makes one. `isMadeFrom` says whether a file of the tree has a part in it. Throws an Error with what the code complains of. */
  async make(dir) {
    const name = `template_${randomUUID().replaceAll('-', '')}`;
    const drop = () => inDatabase(url, `drop database if exists ${name} with (force)`);
    await inDatabase(url, `create database ${name}`);
    try {
      const args = ['sandbox/src/test-template.ts', url.replace(/postgres$/, name)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dir, env, timeout: longest, killSignal: 'SIGKILL' });
      const modules = new Set(JSON.parse(stdout));
      return { name, drop, isMadeFrom: (file) => modules.has(file) || !/\.[cm]?[jt]sx?$/.test(file) };
    } catch (error) {
      await drop();
      throw new Error(`no database could be made: ${error.stderr || error.message}`, { cause: error });
    }
  },
});
