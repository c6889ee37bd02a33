import { StagecraftError } from '@stagecraft/spec'
import { findBranch } from '../git/branch-head.ts'
import { fetchBase } from '../git/fetch-base.ts'
import { findDbtProject } from '../git/find-dbt-project.ts'
import { isFile } from '../git/plan-commit.ts'
import { type CloneOptions, readRepository } from '../git/push-files.ts'
import { readBytes } from '../git/read-contents.ts'
import { readTree } from '../git/tree-entries.ts'
import type { ProjectContents } from './analysis-task.ts'
import { unzipSync } from 'fflate'
import { crc32 } from 'node:zlib'

/** The files of a dbt project, in memory. */
export interface ProjectFiles {
  readonly files: ProjectContents
  /** The folder of the dbt project; empty for the root. */
  readonly folder: string
  /** The commit of the files; undefined for an archive. */
  readonly commit: string | undefined
}

/**
 * Reads the dbt project of an archive.
 *
 * @param archive A zip file in base64.
 * @throws {StagecraftError} INVALID_REQUEST for an archive that is refused, and one without a dbt project, or with
 * several.
 */
export function readArchivedProject(archive: string, path: string | undefined): ProjectFiles {
  const files = readArchive(Buffer.from(archive, 'base64'))
  const folder = chooseFolder(Object.keys(files), path)
  return { files: beneath(Object.entries(files), folder), folder, commit: undefined }
}

export interface BranchOptions extends CloneOptions {
  /** @default the default branch of the repository */
  readonly branch: string | undefined
  /** The requested folder. */
  readonly path: string | undefined
  /** Files that were read before. They are returned unchanged while the branch has the same commit. */
  readonly known?: ProjectFiles
}

/** The number of files that are read at the same time. */
const BATCH = 500

/**
 * Reads the dbt project of a branch through a bare clone of one commit.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a branch that is not there, no dbt project or several, and more than
 * the limits; CONNECTION_FAILED when git or the server fails.
 */
export function readBranchProject({ known, path, ...options }: BranchOptions): Promise<ProjectFiles> {
  return readRepository(options, async (git) => {
    const head = await findBranch(git, options.branch)
    if (known && known.commit === head.id) return known
    const commit = await fetchBase(git, head)
    const entries = await readTree(git, commit)
    const folder = chooseFolder([...entries.keys()], path)
    const inside = folder === '' ? '' : `${folder}/`
    const wanted = [...entries].filter(
      ([name, entry]) => isFile(entry) && RULE_FILE.test(name) && name.startsWith(inside),
    )
    if (wanted.length > PROJECT_LIMITS.entries)
      throw tooLarge(`at most ${PROJECT_LIMITS.entries} files that dbt reads`, `${wanted.length}`)
    const contents: [string, Uint8Array][] = []
    let size = 0
    for (let start = 0; start < wanted.length; start += BATCH) {
      const batch = wanted.slice(start, start + BATCH)
      const bytes = await readBytes(
        git,
        batch.map(([, { id }]) => id),
      )
      for (const [name, { id }] of batch) {
        const content = bytes.get(id) ?? new Uint8Array()
        size += content.length
        contents.push([name, content])
      }
      if (size > PROJECT_LIMITS.bytes)
        throw tooLarge(`at most ${PROJECT_LIMITS.bytes} bytes of project files`, 'more')
    }
    return { files: beneath(contents, folder), folder, commit }
  })
}

function tooLarge(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid(
    { path: 'branch', expected, received },
    { details: { reason: 'too_large' }, suggestion: 'set path to the folder of the dbt project' },
  )
}

function chooseFolder(paths: readonly string[], path: string | undefined): string {
  const folder = findDbtProject(paths, { folder: path, files: [] })
  if (folder !== undefined) return folder
  throw StagecraftError.invalid(
    { path: 'path', expected: 'a folder with dbt_project.yml', received: 'none in the project' },
    { details: { reason: 'no_project' } },
  )
}

function beneath(
  files: readonly (readonly [string, Uint8Array])[],
  folder: string,
): Record<string, Uint8Array> {
  const start = folder === '' ? 0 : folder.length + 1
  const inside = files.filter(([path]) => folder === '' || path.startsWith(`${folder}/`))
  return Object.fromEntries(inside.map(([path, content]) => [path.slice(start), content]))
}

/** The files that rules read, by path. */
export type ArchiveFiles = Readonly<Record<string, Uint8Array>>

export interface ArchiveLimits {
  /** The maximum number of entries, folders included. */
  readonly entries: number
  /** The maximum total size of the files, unpacked, in bytes. */
  readonly bytes: number
}

/** The limits of a project in an archive or a branch. */
const PROJECT_LIMITS: ArchiveLimits = { entries: 20_000, bytes: 64 * 1024 * 1024 }

/** The maximum length of a path, in characters. */
const LONGEST_PATH = 1024

/** The maximum depth of folders. */
const DEEPEST_PATH = 64

/** Matches the files that rules read; others are not unpacked. */
export const RULE_FILE = /(?:\.(?:sql|py|ya?ml|md|csv)|(?:^|\/)stagecraft\.lock)$/i

interface ArchiveEntry {
  readonly path: string
  readonly size: number
  /** The checksum of its content. */
  readonly crc: number
  readonly method: number
  readonly isEncrypted: boolean
  readonly isLink: boolean
}

/**
 * Reads a zip archive into memory. Nothing is written to disk. No file is unpacked beyond the size that the archive
 * states.
 *
 * @throws {StagecraftError} INVALID_REQUEST if it is not a zip archive, or exceeds the limits, and for links and paths
 * that lead out of it, or have more than 1,024 characters or 64 folders.
 */
export function readArchive(bytes: Uint8Array, limits: ArchiveLimits = PROJECT_LIMITS): ArchiveFiles {
  const entries = readDirectory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits)
  for (const entry of entries) assertEntry(entry)
  const wanted = entries.filter(({ path }) => RULE_FILE.test(path))
  const size = wanted.reduce((sum, entry) => sum + entry.size, 0)
  if (size > limits.bytes)
    throw refusal(`at most ${limits.bytes} bytes of project files when unpacked`, `${size} bytes`)
  const names = new Set(wanted.map(({ path }) => path))
  if (names.size < wanted.length) throw refusal('each path once', 'a path that occurs twice')
  const files = unpack(bytes, names)
  for (const { crc, path, size: stated } of wanted) {
    const content = files[path]
    if (content?.length !== stated || crc32(content) !== crc)
      throw refusal('undamaged files', `${JSON.stringify(path)}, whose checksum or size is wrong`)
  }
  return files
}

function unpack(bytes: Uint8Array, names: ReadonlySet<string>): ArchiveFiles {
  try {
    return unzipSync(bytes, { filter: ({ name }) => names.has(name) })
  } catch (error) {
    throw refusal('a zip archive', error instanceof Error ? error.message : 'another file')
  }
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_LENGTH = 22
const ENTRY_LENGTH = 46
const LONGEST_COMMENT = 0xffff

/**
 * The directory at the end of a zip archive: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12
 * and 4.3.16.
 */
function readDirectory(archive: Buffer, limits: ArchiveLimits): readonly ArchiveEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let offset = archive.readUInt32LE(end + 16)
  if (count === 0xffff || offset === 0xffffffff) throw refusal('a zip archive without Zip64', 'one with it')
  if (count > limits.entries) throw refusal(`at most ${limits.entries} entries`, `${count} entries`)
  return Array.from({ length: count }, () => {
    if (offset + ENTRY_LENGTH > end || archive.readUInt32LE(offset) !== ENTRY)
      throw refusal('a zip archive', 'an archive with a damaged directory')
    const [flags, name] = [archive.readUInt16LE(offset + 8), archive.readUInt16LE(offset + 28)]
    const [extra, comment] = [archive.readUInt16LE(offset + 30), archive.readUInt16LE(offset + 32)]
    const path = archive.toString(
      (flags & 0x800) === 0 ? 'latin1' : 'utf8',
      offset + ENTRY_LENGTH,
      offset + ENTRY_LENGTH + name,
    )
    const entry = {
      path,
      size: archive.readUInt32LE(offset + 24),
      crc: archive.readUInt32LE(offset + 16),
      method: archive.readUInt16LE(offset + 10),
      isEncrypted: (flags & 1) === 1,
      isLink: ((archive.readUInt32LE(offset + 38) >>> 16) & 0o170000) === 0o120000,
    }
    offset += ENTRY_LENGTH + name + extra + comment
    return entry
  })
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - LONGEST_COMMENT)
  for (let offset = archive.length - END_LENGTH; offset >= first; offset -= 1)
    if (archive.readUInt32LE(offset) === END) return offset
  throw refusal('a zip archive', 'another file')
}

function assertEntry({ isEncrypted, isLink, method, path }: ArchiveEntry): void {
  const shown = JSON.stringify(path.slice(0, 200))
  if (path.length > LONGEST_PATH)
    throw refusal(`paths of at most ${LONGEST_PATH} characters`, `${shown}…, which has ${path.length}`)
  const folders = path.split('/').length - 1
  if (folders > DEEPEST_PATH)
    throw refusal(`files in at most ${DEEPEST_PATH} folders`, `${shown}, which is in ${folders}`)
  if (isLink) throw refusal('files and folders', `the link ${shown}`)
  if (isEncrypted) throw refusal('files without a password', shown)
  if (method !== 0 && method !== 8)
    throw refusal('files that are stored or deflated', `${shown}, packed otherwise`)
  const isOutside = /^(?:[/\\]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..')
  if (isOutside || path.includes('\\') || /\p{Cc}/u.test(path))
    throw refusal('relative paths inside the archive, with / between folders', shown)
}

function refusal(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'archive', expected, received }, { details: { reason: 'archive' } })
}
