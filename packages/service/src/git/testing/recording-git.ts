import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, type OnFinished } from './repositories.ts'

export interface RecordingGit {
  /** A program that is git. */
  readonly program: string
  /** The processes that there were, each with its id and arguments. */
  readonly calls: () => readonly { readonly pid: number; readonly parameters: string }[]
}

/** The real git, which also writes down how it was called. `before` is shell that runs first. */
export function recordingGit(onFinished: OnFinished, before = ''): RecordingGit {
  const folder = makeFolder(onFinished)
  const program = join(folder, 'git')
  const log = join(folder, 'calls')
  writeFileSync(program, `#!/bin/sh\necho "$$ $*" >> '${log}'\n${before}\nexec git "$@"\n`, { mode: 0o755 })
  return {
    program,
    calls: () =>
      (existsSync(log) ? readFileSync(log, 'utf8') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ pid: Number.parseInt(line, 10), parameters: line.replace(/^\d+ /, '') })),
  }
}
