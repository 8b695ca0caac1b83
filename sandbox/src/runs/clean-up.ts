// Started by `run-folder.ts`: waits for the end of the run, then ends its processes and deletes its folder.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [folder = '', memory = folder] = process.argv.slice(2);
process.stdin.resume();
process.stdin.once('close', () => void cleanUp());

async function cleanUp() {
  await endProcesses(startedProcesses);
  for (const mounted of mountsBelow(folder)) execFileSync('umount', ['-l', mounted]);
  for (const path of [folder, memory]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

type Running = { id: number; command: string[]; cwd: string };

const isDatabase = ({ command: [program = ''] }: Running) => basename(program) === 'postgres';

/** Stops databases, and deletes their data if it is the run's own. Kills all other processes. */
async function endProcesses(running: () => Running[]) {
  for (let waited = 0; ; waited += 50) {
    const left = running();
    if (left.length === 0) return;
    for (const one of left) {
      const isPatient = isDatabase(one) && waited < 20_000;
      const isFirst = waited === 0;
      if (!isPatient) signal(one.id, 'SIGKILL');
      else if (isFirst) signal(one.id, [folder, memory].some((path) => one.cwd.startsWith(`${path}/`)) ? 'SIGQUIT' : 'SIGINT');
    }
    await pause(50);
  }
}

function signal(id: number, name: NodeJS.Signals) {
  try {
    process.kill(id, name);
  } catch {
    // The process has ended meanwhile.
  }
}

/** The processes of the run, which have its folder or one below it in their environment. Linux only. */
function startedProcesses(): Running[] {
  let ids: number[];
  try {
    ids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
  return ids.flatMap((id) => {
    try {
      const environment = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      return environment.some((line) => `${line}/`.startsWith(`TMPDIR=${folder}/`))
        ? [{ id, command, cwd: readlinkSync(`/proc/${id}/cwd`) }]
        : [];
    } catch {
      return [];
    }
  });
}

const mountsBelow = (path: string): string[] => {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    return mounts.map((line) => line.split(' ')[1] ?? '').filter((mounted) => mounted.startsWith(`${path}/`));
  } catch {
    return [];
  }
};
