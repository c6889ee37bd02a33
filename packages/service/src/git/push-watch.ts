import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Ends the child processes of this process when it is killed, and removes its folder. */
export interface PushWatch {
  /** Registers a process group. */
  readonly begin: (pid: number) => void
  readonly end: (pid: number) => void
  readonly stop: () => Promise<void>
}

/**
 * Reads the running process groups from a pipe. When this process ends for any reason, the system closes the pipe, and
 * the script kills the groups and removes the folder. Works with any POSIX sh.
 */
const SCRIPT = `trap '' HUP INT TERM
groups=
while read -r word id; do
  rest=
  for group in $groups; do [ "$group" = "$id" ] || rest="$rest $group"; done
  groups=$rest
  [ "$word" = end ] || groups="$groups $id"
done
for group in $groups; do kill -s KILL -- "-$group"; done
rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
rm -f -- "$1.lock"`

/** Watches the processes and the folder of one push. */
export async function watchPush(folder: string): Promise<PushWatch> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
    // Signals to this process's group do not reach it.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await once(child, 'spawn')
  // The watcher may have been killed. Pushes continue without it.
  child.stdin.on('error', () => {})
  return {
    begin: (pid) => void child.stdin.write(`begin ${pid}\n`),
    end: (pid) => void child.stdin.write(`end ${pid}\n`),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
