import { type Change, commitChanges, type Splice } from './change.ts'
import type { SetValue, YamlEdit, YamlOwner } from './yaml-edit.ts'
import type { YamlFile, YamlPath } from './yaml-file.ts'

/** The subject of an edit: an entry, or one column of it. */
interface Subject {
  /** `models stg_orders`, `sources shop orders`; for an added table, also the source. */
  readonly owners: readonly string[]
  /** Undefined for the entry as a whole. */
  readonly column: string | undefined
  /** True if the edit adds, removes or renames its subject, so no other edit of it can be in the same round. */
  readonly isWhole: boolean
}

function subjectOf(edit: Exclude<YamlEdit, SetValue>): Subject {
  if (edit.kind === 'add-table') {
    const source = JSON.stringify(['sources', edit.source])
    return {
      owners: [source, ownerKey('sources', edit.source, edit.table.name)],
      column: undefined,
      isWhole: true,
    }
  }
  if (edit.kind === 'add-entry')
    return { owners: [ownerKey(edit.list, edit.entry.name)], column: undefined, isWhole: true }
  const { owner } = edit
  const part = owner.list === 'sources' ? owner.table : owner.version
  const owners = [ownerKey(owner.list, owner.name, part)]
  if (edit.kind === 'remove-entry') return { owners, column: undefined, isWhole: true }
  const column = edit.kind === 'add-column' ? edit.column.name : edit.column
  const isRename = edit.kind === 'set-property' && edit.key === 'name'
  return { owners, column: column?.toLowerCase(), isWhole: isRename }
}

/** The list that an entry is added to or removed from; undefined for an edit inside an entry. */
function listOf(edit: YamlEdit): string | undefined {
  if (edit.kind === 'add-entry') return JSON.stringify([edit.list])
  if (edit.kind === 'add-table') return JSON.stringify(['sources', edit.source])
  if (edit.kind !== 'remove-entry') return undefined
  const { owner } = edit
  return JSON.stringify(
    owner.list === 'sources' && owner.table !== undefined ? [owner.list, owner.name] : [owner.list],
  )
}

function ownerKey(list: string, name: string, part?: string | number): string {
  return JSON.stringify(part === undefined ? [list, name] : [list, name, String(part)])
}

/** Edits that are applied together; each is computed on the text before all of them. */
export class EditRound {
  readonly #edits: { readonly edit: YamlEdit; readonly change: Change }[] = []
  readonly #splices: Splice[] = []
  /** Entries with pending or applied edits, by owner: the columns, or `''` for the entry itself. */
  readonly #touched = new Map<string, Set<string>>()
  readonly #whole = new Set<string>()
  /** Lists in which the place of a new entry is unknown until the end of the round. */
  readonly #unsettled = new Set<string>()
  /** Lists to which a pending edit adds an entry. Its neighbours decide its place, so nothing may be removed. */
  readonly #awaited = new Set<string>()
  /** True if a value is or will be set: it may be anywhere, so nothing else is in the same round. */
  #isClosed = false
  /** Removed or renamed columns, after which nothing can be placed. */
  readonly #gone = new Set<string>()
  /** Columns added in this round, with the present column before them. */
  readonly #anchors = new Map<string, string | undefined>()

  get edits(): readonly YamlEdit[] {
    return this.#edits.map(({ edit }) => edit)
  }

  /** Returns true if an edit is independent of this round's edits and of pending ones. */
  isFree(edit: YamlEdit): boolean {
    if (this.#isClosed) return false
    if (edit.kind === 'set-value') return this.#touched.size === 0
    const { column, isWhole, owners } = subjectOf(edit)
    // several tables may be added to a source at once
    const own = edit.kind === 'add-table' ? owners.slice(1) : owners
    const isAdded = edit.kind === 'add-table' && this.#whole.has(owners[0] ?? '')
    const list = listOf(edit)
    const waiting = edit.kind === 'remove-entry' ? this.#awaited : this.#unsettled
    if (list !== undefined && waiting.has(list)) return false
    if (edit.kind === 'add-column' && this.#gone.has(anchorKey(edit, edit.after ?? ''))) return false
    return (
      !isAdded &&
      own.every((owner) => {
        const touched = this.#touched.get(owner)
        if (this.#whole.has(owner) || (isWhole && touched)) return false
        return !touched?.has(column ?? '')
      })
    )
  }

  /** Defers an edit to the next round, together with all edits of the same subject. */
  wait(edit: YamlEdit): true {
    this.#touch(edit)
    const list = listOf(edit)
    if (list === undefined) return true
    this.#unsettled.add(list)
    if (edit.kind !== 'remove-entry') this.#awaited.add(list)
    return true
  }

  /** Returns the edit for the present text: after an existing column, if its neighbour is added in the same round. */
  anchored(edit: YamlEdit): YamlEdit {
    if (edit.kind !== 'add-column' || edit.after === undefined) return edit
    const key = anchorKey(edit, edit.after)
    if (!this.#anchors.has(key)) return edit
    const { after: _, ...rest } = edit
    const after = this.#anchors.get(key)
    return after === undefined ? rest : { ...rest, after }
  }

  /** Adds a change, unless it touches another one. */
  add(edit: YamlEdit, change: Change): boolean {
    const isApart = change.splices.every((splice) =>
      this.#splices.every((other) => !isTouching(splice, other) || this.#follows({ edit, change }, splice)),
    )
    if (!isApart) return false
    if (edit.kind === 'add-column') {
      const anchored = this.anchored(edit)
      const after = anchored.kind === 'add-column' ? anchored.after : undefined
      this.#anchors.set(anchorKey(edit, edit.column.name), after)
    }
    this.#edits.push({ edit, change })
    this.#splices.push(...change.splices)
    this.#touch(edit)
    return true
  }

  /** Makes all changes. */
  commit(file: YamlFile): YamlFile {
    const changes = this.#edits.map(({ change }) => change)
    return changes.length === 0 ? file : commitChanges(file, changes)
  }

  #touch(edit: YamlEdit): void {
    if (edit.kind === 'set-value') {
      this.#isClosed = true
      return
    }
    const { column, isWhole, owners } = subjectOf(edit)
    const list = edit.kind === 'remove-entry' ? listOf(edit) : undefined
    if (list !== undefined) this.#unsettled.add(list)
    const isGone = edit.kind === 'remove-column' || (edit.kind === 'set-property' && isWhole)
    if (isGone) this.#gone.add(anchorKey(edit, edit.column ?? ''))
    const own = edit.kind === 'add-table' ? owners.slice(1) : owners
    for (const owner of own) {
      const touched = this.#touched.get(owner) ?? new Set()
      this.#touched.set(owner, touched.add(column ?? ''))
      if (isWhole) this.#whole.add(owner)
    }
  }

  /** Returns true if an item may follow the last one inserted at the same place of the same list. */
  #follows(
    { change, edit }: { readonly edit: YamlEdit; readonly change: Change },
    { end, start }: Splice,
  ): boolean {
    const last = this.#edits.findLast(({ change: other }) =>
      other.splices.some((splice) => isTouching(splice, { start, end, text: '' })),
    )
    if (!last || start !== end || last.change.splices.some((splice) => splice.start !== start)) return false
    const [one, other] = [last.change.meaning, change.meaning]
    if (one.kind !== 'insert' || other.kind !== 'insert') return false
    const isSameList = isSamePath(one.list, other.list) && one.index === other.index
    return isSameList && isBehind(last.edit, edit)
  }
}

function anchorKey({ owner }: { readonly owner: YamlOwner }, column: string): string {
  return JSON.stringify([owner, column.toLowerCase()])
}

/** Returns true if two pieces overlap or touch. */
function isTouching(a: Splice, b: Splice): boolean {
  return a.start <= b.end && b.start <= a.end
}

function isSamePath(a: YamlPath, b: YamlPath): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}

/** Returns true if a new item follows another new one: columns as requested, entries by name. */
function isBehind(first: YamlEdit, second: YamlEdit): boolean {
  if (first.kind === 'add-column' && second.kind === 'add-column')
    return second.after === undefined
      ? first.after === undefined
      : second.after.toLowerCase() === first.column.name.toLowerCase()
  return nameOf(first) <= nameOf(second)
}

function nameOf(edit: YamlEdit): string {
  if (edit.kind === 'add-entry') return edit.entry.name
  return edit.kind === 'add-table' ? edit.table.name : ''
}
