import { StagecraftError } from '@stagecraft/spec'
import { fileStem, isYaml, readReferences, sourceKey } from './dbt-references.ts'
import { entryDefinition, modelOf } from './dbt-definitions.ts'
import type { Clash } from './find-clashes.ts'
import { type ByteFile, byteFile } from './plan-commit.ts'
import type { SkippedPart } from './push-options.ts'
import { dropEntries, type EntryKey, placeOfTable, printKey, readEntries } from './yaml-entries.ts'

const SHOWN = 5

export interface LeftOut {
  /** The files without what other files of the branch define. */
  readonly bytes: readonly ByteFile[]
  readonly skipped: readonly SkippedPart[]
}

export interface LeaveOutOptions {
  readonly clashes: readonly Clash[]
  /** The files of others, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** Paths that the branch has already. */
  readonly present: ReadonlySet<string>
}

/**
 * Leaves out what other files of the branch define. A declaration of a source table that means the same place, and
 * properties of a model, are used as they stand there. A model of the same name, and a table of another place, keep the
 * model from being pushed, and no other.
 *
 * @throws {StagecraftError} INVALID_REQUEST when no model is left, or an entry cannot be taken out.
 */
export function leaveOut(bytes: readonly ByteFile[], { clashes, present, texts }: LeaveOutOptions): LeftOut {
  const files = bytes.map((file) => ({ ...file, text: file.content.toString() }))
  const skipped: SkippedPart[] = []
  const refusedPaths = new Set<string>()
  const entries = new Map<string, EntryKey[]>()
  const drop = (path: string, key: EntryKey): void => {
    const known = entries.get(path) ?? []
    if (!known.some((one) => printKey(one) === printKey(key))) entries.set(path, [...known, key])
  }
  const refuse = (path: string, definedIn: string, name = modelOf(path)): void => {
    if (refusedPaths.has(path)) return
    refusedPaths.add(path)
    skipped.push({ path, name, definedIn, outcome: 'refused' })
    for (const file of files.filter((one) => isYaml(one.path)))
      for (const key of readEntries(file.text))
        if (key.list !== 'sources' && key.name === fileStem(path)) drop(file.path, key)
  }
  for (const { definedIn, name, path } of clashes) {
    if (!isYaml(path)) {
      refuse(path, definedIn, name)
      continue
    }
    const text = files.find((file) => file.path === path)?.text ?? ''
    const key = readEntries(text).find((one) => entryDefinition(one) === name)
    if (!key) throw definedTwice(clashes)
    drop(path, key)
    const isSame = key.list !== 'sources' || isSamePlace(key, text, texts.get(definedIn) ?? '')
    if (isSame) skipped.push({ path, name, definedIn, outcome: 'used' })
    else for (const user of files.filter((file) => refersTo(file, key))) refuse(user.path, definedIn)
  }
  const left = files.filter(({ path }) => !refusedPaths.has(path))
  if (refusedPaths.size > 0 && left.every(({ path }) => isYaml(path))) throw definedTwice(clashes)
  const rest = left.flatMap(({ path, text, ...file }) => {
    const keys = entries.get(path)
    if (!keys) return [{ path, ...file }]
    const kept = dropEntries(text, keys)
    if (kept === undefined) throw definedTwice(clashes)
    return readEntries(kept).length === 0 && !present.has(path) ? [] : [byteFile(path, kept)]
  })
  return { bytes: rest, skipped }
}

interface TextFile extends ByteFile {
  readonly text: string
}

function refersTo({ path, text }: TextFile, key: Extract<EntryKey, { readonly source: string }>): boolean {
  return (
    !isYaml(path) &&
    readReferences(path, text).sources.has(sourceKey({ source: key.source, table: key.name }))
  )
}

/** Names that Jinja puts together are taken for the same: whoever wrote them knows where they lead. */
function isSamePlace(
  { name, source }: Extract<EntryKey, { readonly source: string }>,
  ours: string,
  theirs: string,
): boolean {
  const [one, other] = [placeOfTable(ours, source, name), placeOfTable(theirs, source, name)]
  if (!one || !other) return false
  const isSame = (left: string | undefined, right: string | undefined): boolean =>
    left === undefined || right === undefined || left === right || right.includes('{{')
  return (
    isSame(one.database, other.database) &&
    isSame(one.schema, other.schema) &&
    isSame(one.identifier, other.identifier)
  )
}

function definedTwice(clashes: readonly Clash[]): StagecraftError {
  const files = [...new Set(clashes.map(({ definedIn }) => definedIn))].toSorted()
  const found = clashes.map(({ definedIn, name }) => `${name} in ${definedIn}`)
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ''
  const suggestion = 'move them back to where they are pushed to, or remove them there, and push again'
  const message = `other files of the branch already define what dbt allows only once: ${found.slice(0, SHOWN).join(', ')}${more}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, {
    details: { reason: 'defined_twice', files, suggestion },
  })
}
