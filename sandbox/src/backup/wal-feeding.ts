import { chownSync, createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Owner } from '../postgres-cluster.ts';
import { type BackupFolder, shellWord } from './backup-folder.ts';
import { spoolForCommands } from './wal-shipping.ts';

const requested = '.request';
const segment = '.segment';
const answer = '.answer';

/**
 * Feeds log segments to a PostgreSQL that is being restored. Its user may have no access to the backup, so it writes the segment's name into a
 * folder of its own, and waits there for the segment.
 */
export function restoreSettings(spool: string, owner: Owner | undefined): Record<string, string> {
  const from = spoolForCommands(spool, owner);
  const at = (name: string) => shellWord(join(from, name));
  const request = `echo %f > ${at(`${requested}.part`)} && mv ${at(`${requested}.part`)} ${at(requested)}`;
  // Fails after ten minutes, because a missing segment must not be taken for the end of the log.
  const wait = `n=0; until [ -e ${at(answer)} ]; do sleep 0.02; n=$((n+1)); [ $n -lt 30000 ] || exit 130; done; rm ${at(answer)}`;
  return {
    // Renamed, so that it is complete when it appears.
    hot_standby: 'off',
    restore_command: `${request} && { ${wait}; } && mv ${at(segment)} "%p"`,
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
  };
}

/** Delivers segments until it is closed. */
export function feedWal(folder: BackupFolder, spool: string, owner: Owner | undefined) {
  const closing = new AbortController();
  const fault: { error?: unknown } = {};
  const deliver = async (name: string) => {
    const from = join(folder.wal, `${name}.gz`);
    if (!/^[\w.]+$/.test(name) || !existsSync(from)) return;
    const part = join(spool, `${segment}.part`);
    await pipeline(createReadStream(from), createGunzip(), createWriteStream(part, { mode: 0o600 }));
    if (owner) chownSync(part, owner.uid, owner.gid);
    renameSync(part, join(spool, segment));
  };
  const turn = async () => {
    if (!existsSync(join(spool, requested))) return;
    const name = readFileSync(join(spool, requested), 'utf8').trim();
    rmSync(join(spool, requested));
    // A damaged segment is not the end of the log, so the restore must report it.
    await deliver(name).catch((error: unknown) => (fault.error = new Error(`${name} cannot be read from the backup: ${String(error)}`)));
    const done = join(spool, `${answer}.part`);
    writeFileSync(done, '');
    if (owner) chownSync(done, owner.uid, owner.gid);
    renameSync(done, join(spool, answer));
  };
  const running = (async () => {
    while (!closing.signal.aborted) {
      await turn();
      await pause(5);
    }
  })();
  return {
    /** Throws if an existing segment could not be read. */
    async close() {
      closing.abort();
      await running;
      if (fault.error) throw fault.error;
    },
  };
}
