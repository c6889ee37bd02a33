import { join, relative, resolve } from 'node:path'
import { type GeneratedFile, StagecraftError } from '@stagecraft/spec'
import { hashOf, type Ledger, type LedgerEntry, readLedger, writeLedger } from './ledger.ts'
import { readIfThere } from './load-config.ts'
import { writeBeside } from './write-beside.ts'

export interface WriteOptions {
  /** The folder of the dbt project. */
  readonly folder: string
  /** Replace files that Stagecraft wrote and nobody changed since. */
  readonly force: boolean
}

export interface WriteReport {
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
}

/** A file, and what stands in its place now. */
interface Target {
  readonly file: GeneratedFile
  readonly state: 'new' | 'same' | 'ours' | 'foreign'
  /** What would get lost: models or tables that the present file covers and the new one does not. */
  readonly lost: readonly string[]
}

/**
 * Writes all files or none. A file that is there already is left alone when it is the same; it is replaced only
 * with `force`, only when its content is one that Stagecraft wrote, and only when nothing in it gets lost.
 *
 * @throws {StagecraftError} INVALID_REQUEST that lists the files in the way.
 */
export async function writeFiles(
  files: readonly GeneratedFile[],
  options: WriteOptions,
): Promise<WriteReport> {
  const ledger = await readLedger(options.folder)
  const targets = await Promise.all(files.map((file) => inspect(file, ledger, options)))
  refuse(targets, options)
  const changed = targets.filter(({ state }) => state !== 'same').map(({ file }) => file)
  replace(changed, ledger, options.folder)
  return {
    written: changed.map(({ path }) => path),
    unchanged: targets.filter(({ state }) => state === 'same').map(({ file }) => file.path),
  }
}

async function inspect(file: GeneratedFile, ledger: Ledger, { folder }: WriteOptions): Promise<Target> {
  const place = resolve(folder, file.path)
  if (relative(resolve(folder), place).startsWith('..')) throw outside(file.path)
  const present = await readIfThere(place)
  if (present === undefined) return { file, state: 'new', lost: [] }
  if (present === file.content) return { file, state: 'same', lost: [] }
  const entry = ledger[file.path]
  const isOurs = entry?.hashes.includes(hashOf(present)) ?? false
  const lost = (entry?.covers ?? []).filter((name) => !file.covers.includes(name))
  return { file, state: isOurs ? 'ours' : 'foreign', lost }
}

function outside(path: string): StagecraftError {
  return new StagecraftError(
    'INVALID_REQUEST',
    `the file ${path} would lie outside the project; check the folders under naming:`,
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
      'were not written by stagecraft, or were changed since',
      'move them away, or merge by hand',
    )
  }
  const ours = targets.filter(({ state }) => state === 'ours')
  if (ours.length > 0 && !force) {
    throw inTheWay(
      ours,
      'are there and would change',
      'use --force to replace them; nobody changed them since stagecraft wrote them',
    )
  }
  const losing = ours.filter(({ lost }) => lost.length > 0)
  if (losing.length > 0) {
    const names = losing.flatMap(({ lost }) => lost).join(', ')
    throw inTheWay(
      losing,
      `also cover ${names}`,
      'generate those too (a whole schema: stripe.*), or set yamlLayout: model',
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

/** The ledger first names both contents, so that a run that is killed midway can be run again. */
function replace(files: readonly GeneratedFile[], ledger: Ledger, folder: string): void {
  if (files.length === 0) return
  const placements = files.map(({ content, path }) => writeBeside(join(folder, path), content))
  writeLedger(folder, { ...ledger, ...entries(files, (path) => ledger[path]?.hashes ?? []) })
  for (const place of placements) place()
  writeLedger(folder, { ...ledger, ...entries(files, () => []) })
}

function entries(
  files: readonly GeneratedFile[],
  older: (path: string) => readonly string[],
): Record<string, LedgerEntry> {
  return Object.fromEntries(
    files.map(({ content, covers, path }) => [path, { hashes: [...older(path), hashOf(content)], covers }]),
  )
}
