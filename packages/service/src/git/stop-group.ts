import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const GRACE_MS = 1000
const POLL_MS = 20

/**
 * Ends a process that leads a group, and all that it started. It asks first, so that git takes its locks away, also
 * those in a repository of this machine.
 */
export async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid, stderr, stdout } = child
  if (pid === undefined) return
  const end = performance.now() + GRACE_MS
  let isAlive = signalGroup(pid, 'SIGTERM')
  while (isAlive && performance.now() < end) {
    await pause(POLL_MS)
    isAlive = signalGroup(pid, 0)
  }
  signalGroup(pid, 'SIGKILL')
  // What has left the group may hold them open.
  stdout?.destroy()
  stderr?.destroy()
}

/** Signals a process group; returns false if it is gone. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
