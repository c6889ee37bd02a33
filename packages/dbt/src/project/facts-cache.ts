import { createHash } from 'node:crypto'
import type { FileTree, TreeFile } from '../tree/file-tree.ts'
import { decodeText } from '../tree/read-text.ts'
import { type FileFacts, isRead, readFacts } from './file-facts.ts'
import { faultOf, type ProjectProblem } from './project-index.ts'

/** The store of facts between runs. They may be lost at any time. */
export interface FactsStore {
  /** Reads what was kept last; undefined when nothing was. */
  load(): Promise<string | undefined>
  /** Keeps a text. What cannot be kept is read again the next time. */
  save(text: string): Promise<void>
}

/** Changes whenever facts are read otherwise, so that kept ones are read again. */
const FORMAT = 2

/** The number of files that are read at once. */
const AT_ONCE = 64

/** The facts of a file, and what they were read from. */
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

/**
 * Reads what files say. A file that is as it was when its facts were kept is not read; one that looks changed is, and is
 * taken apart only when its content is another one.
 */
export async function readFiles(
  tree: FileTree,
  files: readonly TreeFile[],
  store?: FactsStore,
): Promise<readonly ReadFile[]> {
  const kept = parseKept(await store?.load())
  const found: (readonly [string, KeptFacts])[] = []
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const reads = files.slice(at, at + AT_ONCE).map(async (file) => {
      const read = await readOne(tree, file, kept.get(file.path))
      return read ? [[file.path, read] as const] : []
    })
    found.push(...(await Promise.all(reads)).flat())
  }
  const isChanged = found.length !== kept.size || found.some(([path, entry]) => kept.get(path) !== entry)
  if (store && isChanged)
    await store.save(JSON.stringify({ format: FORMAT, files: Object.fromEntries(found) }))
  return found.map(([path, { facts, hash }]) => ({ path, hash, facts }))
}

async function readOne(
  tree: FileTree,
  { path, version }: TreeFile,
  kept: KeptFacts | undefined,
): Promise<KeptFacts | undefined> {
  // A seed says nothing but its name, and may be of any size.
  if (!isRead(path)) return kept ?? { hash: '', facts: {} }
  if (kept && version !== undefined && kept.version === version) return kept
  const bytes = await readOrFault(tree, path)
  if (bytes === undefined) return undefined
  if ('reason' in bytes) return { hash: '', facts: unread(bytes) }
  const hash = createHash('sha256').update(bytes).digest('hex')
  const stamp = version === undefined ? {} : { version }
  if (kept?.hash === hash) return { ...kept, ...stamp }
  const text = decodeText(bytes)
  if (text === undefined) return { ...stamp, hash, facts: unread({ line: 1, reason: 'it is not UTF-8' }) }
  return { ...stamp, hash, facts: readFacts(path, text) }
}

type Fault = Pick<ProjectProblem, 'line' | 'reason'>

/** Returns the content of a file, or why it cannot be read. */
async function readOrFault(tree: FileTree, path: string): Promise<Uint8Array | Fault | undefined> {
  try {
    return await tree.read(path)
  } catch (error) {
    return faultOf(error)
  }
}

/** A file that says nothing, and why: what it would say is not known, and the others are read. */
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
