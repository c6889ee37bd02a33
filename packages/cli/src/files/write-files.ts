import { isAbsolute, join, relative, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type FileState, fileState, hashText } from '@stagecraft/dbt'
import { type GeneratedFile, StagecraftError } from '@stagecraft/spec'
import { type Ledger, type LedgerEntry, readLedger, writeLedger } from './ledger.ts'
import { readIfThere } from './read-if-there.ts'
import { realPlace, writeAllBeside } from './write-beside.ts'

export interface WriteOptions {
  /** The folder of the dbt project. */
  readonly folder: string
  /** Replaces files that Stagecraft wrote and nobody changed since. */
  readonly force: boolean
}

export interface WriteReport {
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
}

/** A file, and the current content at its path. */
interface Target {
  readonly file: GeneratedFile
  readonly state: FileState
  /** The models or tables in the current file that the new one lacks. */
  readonly lost: readonly string[]
}

/**
 * Writes all files or none. An identical file is left alone. A different one is replaced only with `force`, if
 * Stagecraft wrote its content and nothing in it gets lost.
 *
 * @throws {StagecraftError} INVALID_REQUEST that lists the conflicting files.
 */
export async function writeFiles(
  files: readonly GeneratedFile[],
  options: WriteOptions,
): Promise<WriteReport> {
  const ledger = await readLedger(options.folder)
  const targets = await Promise.all(files.map((file) => inspect(file, ledger, options)))
  refuse(targets, options)
  replace(targets, ledger, options.folder)
  const pathsOf = (isSame: boolean): readonly string[] =>
    targets.filter(({ state }) => (state === 'same') === isSame).map(({ file }) => file.path)
  return { written: pathsOf(false), unchanged: pathsOf(true) }
}

async function inspect(file: GeneratedFile, ledger: Ledger, { folder }: WriteOptions): Promise<Target> {
  const place = resolve(folder, file.path)
  if (relative(resolve(folder), place).startsWith('..')) throw outside(file.path)
  const way = relative(realPlace(resolve(folder)), realPlace(place))
  if (way.startsWith('..') || isAbsolute(way)) throw outside(file.path)
  const present = await readIfThere(place)
  const entry = ledger[file.path]
  const state = fileState({
    wanted: hashText(file.content),
    present: present === undefined ? undefined : hashText(present),
    written: entry?.hashes ?? [],
  })
  const isReplaced = state === 'ours' || state === 'foreign'
  const lost = isReplaced ? (entry?.covers ?? []).filter((name) => !file.covers.includes(name)) : []
  return { file, state, lost }
}

function outside(path: string): StagecraftError {
  return new StagecraftError(
    'INVALID_REQUEST',
    `the file ${path} would be outside the project; check the folders under naming:, and links`,
    {
      details: { faults: [{ path, expected: 'a path inside the project', received: path }] },
    },
  )
}

function refuse(targets: readonly Target[], { force }: WriteOptions): void {
  const foreign = targets.filter(({ state }) => state === 'foreign')
  if (foreign.length > 0) {
    throw inTheWay(
      foreign,
      'were not written by stagecraft, or were edited since',
      'move them away, or merge by hand',
    )
  }
  const ours = targets.filter(({ state }) => state === 'ours')
  const losing = ours.filter(({ lost }) => lost.length > 0)
  if (losing.length > 0) {
    const names = losing.flatMap(({ lost }) => lost).join(', ')
    throw inTheWay(
      losing,
      `also cover ${names}`,
      'generate those too (a whole schema: stripe.*), or set yamlLayout: model',
    )
  }
  if (ours.length > 0 && !force) {
    throw inTheWay(
      ours,
      'exist and would change',
      'use --force to replace them; they are unchanged since stagecraft wrote them',
    )
  }
}

function inTheWay(targets: readonly Target[], what: string, remedy: string): StagecraftError {
  const paths = targets.map(({ file }) => file.path)
  const shown =
    paths
      .slice(0, 10)
      .map((path) => `\n  ${path}`)
      .join('') + (paths.length > 10 ? `\n  and ${paths.length - 10} more` : '')
  return new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: these files ${what}; ${remedy}:${shown}`,
    {
      details: { files: paths },
    },
  )
}

/** Moves changed files into place. The ledger first lists both contents, so that an interrupted run can be repeated. */
function replace(targets: readonly Target[], ledger: Ledger, folder: string): void {
  const files = targets.map(({ file }) => file)
  const changed = targets.filter(({ state }) => state !== 'same').map(({ file }) => file)
  const after = { ...ledger, ...entries(files, () => []) }
  if (changed.length > 0) {
    const written = writeAllBeside(changed.map(({ content, path }) => [join(folder, path), content]))
    writeLedger(folder, { ...after, ...entries(changed, (path) => ledger[path]?.hashes ?? []) })
    for (const { place } of written) place()
  }
  if (!isDeepStrictEqual(ledger, after) || changed.length > 0) writeLedger(folder, after)
}

function entries(
  files: readonly GeneratedFile[],
  older: (path: string) => readonly string[],
): Record<string, LedgerEntry> {
  return Object.fromEntries(
    files.map(({ content, covers, path }) => [path, { hashes: [...older(path), hashText(content)], covers }]),
  )
}
