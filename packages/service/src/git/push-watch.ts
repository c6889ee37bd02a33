import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Ends what this process started when it is killed, and removes what it left. */
export interface PushWatch {
  /** A process that leads a group has begun. */
  readonly begin: (pid: number) => void
  readonly end: (pid: number) => void
  readonly stop: () => Promise<void>
}

/**
 * Reads on a pipe which groups of processes there are. The system closes it when this process ends, however it ends; then
 * the groups and the folder go. Any sh runs it, of any system.
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

/** Watches over the processes of one push and the folder that they work in. */
export async function watchPush(folder: string): Promise<PushWatch> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
    // Out of the reach of signals to this process's group.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await once(child, 'spawn')
  // Somebody may have ended it; pushes go on without.
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
