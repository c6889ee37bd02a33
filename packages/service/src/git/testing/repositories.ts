import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The hooks of a test runner that are used. */
export type OnFinished = (stop: () => void | Promise<void>) => unknown

export function makeFolder(onFinished: OnFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-git-'))
  onFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const WHO = { NAME: 'Ann', EMAIL: 'ann@example.com', DATE: '2026-01-02T03:04:05Z' }

/** An environment that hides this machine from git in tests. */
export const PLAIN_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    Object.entries(WHO).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
}

export function runTestGit(folder: string, parameters: readonly string[], input?: string | Buffer): Buffer {
  const { error, status, stderr, stdout } = spawnSync('git', parameters, {
    cwd: folder,
    env: PLAIN_ENVIRONMENT,
    maxBuffer: 1e9,
    ...(input !== undefined && { input }),
  })
  if (status !== 0) throw error ?? new Error(`git ${parameters.join(' ')}: ${stderr.toString()}`)
  return stdout
}

/** A bare repository, as a server has it. */
export interface TestRepository {
  readonly folder: string
  readonly git: (...parameters: readonly string[]) => string
  /** Commits files as a human does; a value of `undefined` removes. Returns the commit. */
  readonly commit: (files: Readonly<Record<string, string | undefined>>, branch?: string) => string
  readonly read: (path: string, branch?: string) => string
  readonly hook: (name: string, script: string) => void
}

export function makeRepository(
  onFinished: OnFinished,
  {
    format = 'sha1',
    parent = makeFolder(onFinished),
  }: { readonly format?: string; readonly parent?: string } = {},
): TestRepository {
  const folder = join(parent, 'repository.git')
  runTestGit(parent, ['init', '-q', '--bare', '-b', 'main', `--object-format=${format}`, folder])
  const git = (...parameters: readonly string[]): string =>
    runTestGit(folder, parameters).toString().trimEnd()
  return {
    folder,
    git,
    commit: (files, branch = 'main') => commit(folder, files, branch),
    read: (path, branch = 'main') => runTestGit(folder, ['show', `${branch}:${path}`]).toString(),
    hook: (name, script) => {
      const path = join(folder, 'hooks', name)
      rmSync(path, { force: true })
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    },
  }
}

function commit(folder: string, files: Readonly<Record<string, string | undefined>>, branch: string): string {
  const ref = `refs/heads/${branch}`
  const isThere = spawnSync('git', ['rev-parse', '-q', '--verify', ref], { cwd: folder }).status === 0
  const changes = Object.entries(files).map(([path, content]) =>
    content === undefined
      ? `D "${path}"\n`
      : `M 100644 inline "${path}"\ndata ${Buffer.byteLength(content)}\n${content}\n`,
  )
  const from = isThere ? `from ${ref}^0\n` : ''
  const head = `commit ${ref}\ncommitter Ann <ann@example.com> 1767000000 +0000\ndata 5\nhuman\n`
  runTestGit(folder, ['fast-import', '--quiet'], `${head}${from}${changes.join('')}\n`)
  return runTestGit(folder, ['rev-parse', ref]).toString().trim()
}
