import { hash as digest } from 'node:crypto'
import type { FileTree, TreeFile } from '../tree/file-tree.ts'
import { decodeText } from '../tree/read-text.ts'
import { type FileFacts, isRead, type ParseListener, readFacts } from './file-facts.ts'
import { faultOf, type ProjectProblem } from './project-index.ts'

/** The store of facts between runs. They may be lost at any time. */
export interface FactsStore {
  /** Reads the stored text; undefined without one. */
  load(): Promise<string | undefined>
  /** Stores a text. If that fails, files are read again the next time. */
  save(text: string): Promise<void>
}

/** The version of the format of facts. Increase it when facts are read differently, so stored ones are read again. */
const FORMAT = 5

/** The number of files that are read at once. */
const AT_ONCE = 64

/** The facts of a file, and its version. */
interface KeptFacts {
  readonly version?: string
  readonly hash: string
  readonly facts: FileFacts
}

/** The facts of a file, and the SHA-256 of its content. */
export interface ReadFile {
  readonly path: string
  readonly hash: string
  readonly facts: FileFacts
}

export interface ReadFilesOptions extends ParseListener {
  readonly store?: FactsStore | undefined
}

/**
 * Reads the facts of files. An unchanged file is not read; one that looks changed is read, and parsed only if its
 * content differs.
 */
export async function readFiles(
  tree: FileTree,
  files: readonly TreeFile[],
  { store, ...listener }: ReadFilesOptions = {},
): Promise<readonly ReadFile[]> {
  const kept = parseKept(await store?.load())
  const found: (readonly [string, KeptFacts])[] = []
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const reads = files.slice(at, at + AT_ONCE).map(async (file) => {
      const read = await readOne(tree, file, {
        kept: kept.get(file.path),
        isKept: store !== undefined,
        listener,
      })
      return read ? [[file.path, read] as const] : []
    })
    found.push(...(await Promise.all(reads)).flat())
  }
  const isChanged = found.length !== kept.size || found.some(([path, entry]) => kept.get(path) !== entry)
  if (store && isChanged)
    await store.save(JSON.stringify({ format: FORMAT, files: Object.fromEntries(found) }))
  return found.map(([path, { facts, hash }]) => ({ path, hash, facts }))
}

interface ReadOneOptions {
  readonly kept: KeptFacts | undefined
  /** True if the facts are stored with the version of the file. */
  readonly isKept: boolean
  readonly listener: ParseListener
}

async function readOne(
  tree: FileTree,
  file: TreeFile,
  { isKept, kept, listener }: ReadOneOptions,
): Promise<KeptFacts | undefined> {
  const { path } = file
  const version = isKept ? file.version : undefined
  // Of a seed only the name matters, and it may be large.
  if (!isRead(path)) return kept ?? { hash: '', facts: {} }
  if (kept && version !== undefined && kept.version === version) return kept
  const bytes = await readOrFault(tree, path)
  if (bytes === undefined) return undefined
  if ('reason' in bytes) return { hash: '', facts: unread(bytes) }
  const hash = digest('sha256', bytes)
  const stamp = version === undefined ? {} : { version }
  if (kept?.hash === hash) return { ...kept, ...stamp }
  const text = decodeText(bytes)
  if (text === undefined) return { ...stamp, hash, facts: unread({ line: 1, reason: 'it is not UTF-8' }) }
  return { ...stamp, hash, facts: readFacts(path, text, listener) }
}

type Fault = Pick<ProjectProblem, 'line' | 'reason'>

/** Returns the content of a file, or the reason why it cannot be read. */
async function readOrFault(tree: FileTree, path: string): Promise<Uint8Array | Fault | undefined> {
  try {
    return await tree.read(path)
  } catch (error) {
    return faultOf(error)
  }
}

/** A file without facts, and the reason why it cannot be read. */
function unread(fault: Fault): FileFacts {
  return { properties: { models: [], seeds: [], snapshots: [], sources: [], fault } }
}

/** Reads the kept facts; none for another format or a damaged text. */
function parseKept(text: string | undefined): ReadonlyMap<string, KeptFacts> {
  try {
    const { files, format } = JSON.parse(text ?? '{}') as {
      format?: number
      files?: Record<string, KeptFacts>
    }
    return new Map(format === FORMAT && files ? Object.entries(files) : [])
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}
