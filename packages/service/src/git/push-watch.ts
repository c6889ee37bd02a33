import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Ends the child processes of this process when it is killed, and removes its folder. */
export interface PushWatch {
  /**
   * Starts a program in a separate process group. The process registers its group before it becomes the program, so
   * the group is known even if this process is killed immediately.
   */
  readonly start: (program: string, parameters: readonly string[], options: StartOptions) => ChildProcess
  /** Removes a group whose program has ended. */
  readonly end: (pid: number) => void
  readonly stop: () => Promise<void>
}

interface StartOptions {
  readonly folder: string
  readonly environment: Record<string, string>
}

/** The exit codes of a shell for a program that is missing or not executable. */
export const NOT_STARTED = [127, 126]

/**
 * Registers the process group, closes the pipe to the watcher and becomes the program. A watcher that was killed costs no
 * push: the signal of the broken pipe is handled, and has its default again in the program.
 */
const START = `trap : PIPE; echo "begin $$" 2>/dev/null >&3; exec 3>&-; exec "$0" "$@"`

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
    start: (program, parameters, { environment, folder: cwd }) =>
      spawn('/bin/sh', ['-c', START, program, ...parameters], {
        cwd,
        env: environment,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', child.stdin.destroyed ? 'ignore' : child.stdin],
      }),
    end: (pid) => void child.stdin.write(`end ${pid}\n`),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
